"""Webhooks: requests of other programs as a source. The platform listens, and answers what it has stored."""
