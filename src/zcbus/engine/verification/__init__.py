"""Verifying subscribed tables little by little, beside the running apply; see docs/decisions."""
