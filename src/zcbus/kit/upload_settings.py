"""Settings of uploads."""

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

EXPECTED_STORE = "s3://bucket or s3://bucket/folder"


@dataclass(frozen=True, slots=True)
class ObjectStoreSettings:
    """A folder of a bucket, and the account."""

    bucket: str
    folder: str
    """Without slashes at its ends; may be empty."""
    endpoint: str
    """`https://host:port`; empty: at AWS."""
    region: str
    key: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class UploadSettings:
    """Where uploads are kept, and their limits."""

    folder: Path = Path("./var/uploads")
    """Parts under way and, without an object store, complete files. Replicas of a control plane share it."""
    file_mb: int = 256
    """Size limit of a file."""
    tenant_mb: int = 2048
    """Limit of all files of a tenant together."""
    scanner: tuple[str, ...] = ()
    """A command that is run with the path of each file as its last argument: it ends with 0 for a clean file, with 1
    for one that must not be kept; empty: none."""
    store: ObjectStoreSettings | None = None


def parse_command(value: str) -> tuple[str, ...]:
    """The words of a command. Raises ValueError."""
    words = tuple(shlex.split(value))
    if words and not Path(words[0]).is_absolute():
        raise ValueError(value)
    return words


def parse_store(value: str) -> tuple[str, str]:
    """Bucket and folder; both are empty where the value is. Raises ValueError."""
    if not value:
        return "", ""
    address = urlsplit(value)
    if (
        not value.startswith("s3://")
        or not address.netloc
        or "@" in address.netloc
        or address.query
        or address.fragment
    ):
        raise ValueError(value)
    return address.netloc, address.path.strip("/")


def parse_endpoint(value: str) -> str:
    """An address of http or https without a path. Raises ValueError."""
    address = urlsplit(value)
    if value and (
        not value.startswith(("http://", "https://")) or not address.hostname or address.path not in ("", "/")
    ):
        raise ValueError(value)
    return value.rstrip("/")
