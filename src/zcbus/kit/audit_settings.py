"""Settings for streaming the operation log to receivers outside of the platform."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

SyslogTransport = Literal["tls", "tcp", "udp"]


@dataclass(frozen=True, slots=True)
class SyslogAddress:
    """A syslog server."""

    transport: SyslogTransport
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """Receivers of the operation log. `file`: JSON lines are appended. `webhook`: its requests are signed with
    `webhook_secret`. None: no such receiver."""

    file: Path | None = None
    syslog: SyslogAddress | None = None
    webhook: str | None = None
    webhook_secret: str = ""


SYSLOG_ADDRESS = "tls://host:port, tcp://host:port or udp://host:port"


def parse_syslog(text: str) -> SyslogAddress | None:
    """Parse an address; empty: None. Raises ValueError."""
    if not text:
        return None
    parts = urlsplit(text)
    transport = next((one for one in get_args(SyslogTransport) if one == parts.scheme), None)
    if transport is None or not parts.hostname or not parts.port or parts.path or parts.query:
        raise ValueError(text)
    return SyslogAddress(transport, parts.hostname, parts.port)


EXPECTED_KEY = "16 characters or more, as ZCBUS_AUDIT_WEBHOOK is set"

_MIN_SECRET = 16


def parse_secret(text: str) -> str:
    """Raises ValueError for a secret that is missing or short."""
    if len(text) < _MIN_SECRET:
        raise ValueError
    return text


def parse_file(text: str) -> Path | None:
    """Parse an absolute path; empty: None. Raises ValueError."""
    if not text:
        return None
    path = Path(text)
    if not path.is_absolute():
        raise ValueError(text)
    return path
