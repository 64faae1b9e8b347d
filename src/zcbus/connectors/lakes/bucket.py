"""Buckets of lakes, and how libraries that connect by themselves reach them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from zcbus.connectors.lakes.options import LakeOptions
from zcbus.connectors.stores.s3.client import aws_endpoint
from zcbus.kit.network import Route, addresses
from zcbus.kit.network.relay import Relay, relay_to

_RETRIED = "30s"
"""How long a library tries a request again by itself; then the engine waits and reports."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """How a bucket is reached."""

    name: str
    endpoint: str
    region: str
    key: str
    secret: str
    in_host: bool
    """The bucket is part of the host's name, else of the path."""
    verify: bool
    way: Route | None

    @property
    def url(self) -> str:
        """Scheme and host of requests."""
        scheme, _, host = self.endpoint.partition("://")
        return f"{scheme}://{self.name}.{host}" if self.in_host else self.endpoint

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        found = urlsplit(self.url)
        return found.hostname or "", found.port or {"http": 80}.get(found.scheme, 443)

    def require_permitted(self) -> None:
        """Say at once what the relay would refuse. Raises AddressRefused, OSError."""
        if self.way is None or not self.way.leads_through:
            addresses(*self.address)

    def relay(self) -> Relay:
        """Libraries of lakes connect by themselves; by this they connect to what the network rules allow."""
        return relay_to(*self.address, self.way)

    def storage_options(self, relay: Relay) -> dict[str, str]:
        """For libraries that take options by names of AWS. All are named, so that none comes from the environment."""
        return {
            "aws_access_key_id": self.key,
            "aws_secret_access_key": self.secret,
            "aws_region": self.region,
            "aws_endpoint_url": self.url,
            "aws_virtual_hosted_style_request": str(self.in_host).lower(),
            "aws_allow_http": str(self.endpoint.startswith("http://")).lower(),
            "aws_conditional_put": "etag",
            "aws_session_token": "",
            "allow_invalid_certificates": str(not self.verify).lower(),
            "proxy_url": relay.url,
            "retry_timeout": _RETRIED,
        }


def bucket_of(options: LakeOptions) -> Bucket | None:
    """None: the tables lie on the agent's host."""
    if not options.bucket:
        return None
    return Bucket(
        name=options.bucket,
        endpoint=(options.endpoint or aws_endpoint(options.region)).rstrip("/").lower(),
        region=options.region,
        key=options.accesskey,
        secret=options.secretkey,
        in_host=options.addressing == "host"
        or (options.addressing == "auto" and not options.endpoint and "." not in options.bucket),
        verify=options.tls == "verify-full",
        way=options.way,
    )
