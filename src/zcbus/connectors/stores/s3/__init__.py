"""Folders in buckets of Amazon S3 and compatible servers (https://docs.aws.amazon.com/AmazonS3/latest/API/)."""

from zcbus.connectors.stores.s3.client import S3Access, S3Client, S3Refusal
from zcbus.connectors.stores.s3.store import S3Store

__all__ = ["S3Access", "S3Client", "S3Refusal", "S3Store"]
