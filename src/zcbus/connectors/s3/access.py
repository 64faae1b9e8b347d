"""From options to requests."""

from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores.s3 import S3Access
from zcbus.connectors.stores.s3.client import aws_endpoint


def access_of(options: S3Options) -> S3Access:
    """Address of the bucket; without an endpoint, at AWS."""
    return S3Access(
        kind=options.kind,
        endpoint=(options.endpoint or aws_endpoint(options.region)).rstrip("/").lower(),
        region=options.region,
        bucket=options.bucket,
        key=options.accesskey,
        secret=options.secretkey,
        # A certificate is good for one label in front of its domain: buckets with dots need the path.
        bucket_in_host=options.addressing == "host"
        or (options.addressing == "auto" and not options.endpoint and "." not in options.bucket),
        verify=options.tls == "verify-full",
        way=options.way,
    )
