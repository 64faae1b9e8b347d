"""Where a lake's files lie, on the agent's host or in a bucket, and names of tables as folders there."""

import re
from typing import Any

from obstore.store import LocalStore, S3Store

from zcbus.connectors.errors import AccessDenied, TargetFull, TargetUnavailable
from zcbus.connectors.full_disk import says_full
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.lakes.options import LakeOptions
from zcbus.kit.file_folder import confined

_OF_CLIENT = ("allow_invalid_certificates", "aws_allow_http", "proxy_url", "retry_timeout")
"""Options that the store of files takes apart from those of the bucket."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_DENIED = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "403", "401", "Permission denied")


class LakePlace:
    """A folder of files. Raises AddressRefused, FileOutside, OSError."""

    def __init__(self, options: LakeOptions, folder: str) -> None:
        """Makes the local folder where it is missing. `folder`: in the bucket, may be empty there."""
        self.storage: dict[str, str] = {}
        """For libraries that open the bucket themselves."""
        self.files: Any
        """The folder as a store of obstore."""
        bucket = bucket_of(options)
        if bucket is None:
            path = confined(options.tenant, folder)
            path.mkdir(parents=True, exist_ok=True)
            self.root = str(path)
            self.files = LocalStore(path, automatic_cleanup=True)
            return
        bucket.require_permitted()
        self._relay = bucket.relay()
        self.storage = bucket.storage_options(self._relay)
        self.root = f"s3://{bucket.name}/{folder}".rstrip("/")
        self.files = S3Store(
            bucket.name,
            prefix=folder or None,
            config=_config(self.storage),
            client_options={
                "allow_http": bucket.endpoint.startswith("http://"),
                "allow_invalid_certificates": not bucket.verify,
                "proxy_url": self._relay.url,
            },
        )


def unavailable(options: LakeOptions, detail: str) -> TargetUnavailable:
    """The error for what passes."""
    return (TargetFull if says_full(detail) else TargetUnavailable)(
        kind=options.kind, address=options.place, detail=detail
    )


def denied(options: LakeOptions, error: Exception, user: str = "") -> AccessDenied:
    """The error for what is not allowed."""
    return AccessDenied(kind=options.kind, address=options.place, user=user or options.accesskey, detail=short(error))


def says_denied(error: Exception) -> bool:
    """Whether the text of an error is that access was denied."""
    return any(word in str(error) for word in _DENIED)


def short(error: Exception) -> str:
    """The text of an error, for people."""
    text = " ".join(_COLOUR.sub("", str(error)).split())
    return text[:300] or type(error).__name__


def _config(options: dict[str, str]) -> Any:
    return {name: value for name, value in options.items() if name not in _OF_CLIENT}
