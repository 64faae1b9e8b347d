"""Files in buckets of Amazon S3 and compatible storage."""
