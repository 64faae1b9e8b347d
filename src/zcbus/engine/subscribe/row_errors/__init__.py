"""Changes that the target rejects: found, kept, retried, skipped."""
