"""From options to requests."""

from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores.s3 import S3Access


def access_of(options: S3Options) -> S3Access:
    """How the bucket is reached; where no endpoint is given, at AWS
    (https://docs.aws.amazon.com/general/latest/gr/s3.html)."""
    domain = "amazonaws.com.cn" if options.region.startswith("cn-") else "amazonaws.com"
    at_aws = f"https://s3.{options.region}.{domain}"
    return S3Access(
        kind=options.kind,
        endpoint=(options.endpoint or at_aws).rstrip("/").lower(),
        region=options.region,
        bucket=options.bucket,
        key=options.accesskey,
        secret=options.secretkey,
        # A certificate is good for one label in front of its domain: buckets with dots need the path.
        bucket_in_host=options.addressing == "host"
        or (options.addressing == "auto" and not options.endpoint and "." not in options.bucket),
        verify=options.tls == "verify-full",
    )
