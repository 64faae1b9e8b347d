"""Values of settings: each parser takes the text of one and returns its value, or raises ValueError."""

import base64
from collections.abc import Callable, Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from zcbus.kit.tls import TLS_MODES, TlsMode

PUBLIC_ADDRESS = "scheme, name and port, as in https://bus.example:8443"
SOCKET_ADDRESS = "scheme, name and port, as in wss://bus.example:8443"

_KEY_BYTES = 32
_SMALLEST_MEMORY_MB = 128
_MINUTES_A_DAY = 1440
# Upper limit of the setting for the longest password.
_MIN_LIMIT, _MAX_LIMIT = 16, 128


def parse_public_address(value: str) -> str:
    """An address without path, query and account, or none."""
    return _parse_address(value, ("http", "https"))


def parse_socket_address(value: str) -> str:
    """The same for websockets."""
    return _parse_address(value, ("ws", "wss"))


def _parse_address(value: str, schemes: Sequence[str]) -> str:
    address = urlsplit(value)
    if value and (address.scheme not in schemes or not address.hostname or address.path not in ("", "/")):
        raise ValueError(value)
    if address.query or address.fragment or address.username is not None:
        raise ValueError(value)
    return value.rstrip("/")


def parse_host_names(value: str) -> tuple[str, ...]:
    """Names in small letters, without ports."""
    names = tuple(name.strip().lower() for name in value.split(",") if name.strip())
    if any(character in name for name in names for character in "/:@ *"):
        raise ValueError(value)
    return names


def not_empty(value: str) -> str:
    """A text that is there."""
    if not value:
        raise ValueError(value)
    return value


def parse_port(value: str) -> int:
    """A port; 0: the system chooses."""
    port = int(value)
    if not 0 <= port <= 65535:
        raise ValueError(value)
    return port


def parse_megabytes(value: str) -> int:
    """Memory of a worker."""
    size = int(value)
    if size < _SMALLEST_MEMORY_MB:
        raise ValueError(value)
    return size


def parse_positive_integer(value: str) -> int:
    """A whole number from 1 on."""
    number = int(value)
    if number < 1:
        raise ValueError(value)
    return number


def parse_idle_time(value: str) -> timedelta | None:
    """Minutes; 0: none."""
    minutes = int(value)
    if not 0 <= minutes <= _MINUTES_A_DAY:
        raise ValueError(value)
    return timedelta(minutes=minutes) if minutes else None


def parse_password_length(value: str) -> int:
    """Characters."""
    length = int(value)
    if not _MIN_LIMIT <= length <= _MAX_LIMIT:
        raise ValueError(value)
    return length


def parse_database_url(value: str) -> str:
    """The address of a metadata store."""
    if not value.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError(value)
    return value


def parse_tls_mode(value: str) -> TlsMode:
    """When TLS is used."""
    for mode in TLS_MODES:
        if value == mode:
            return mode
    raise ValueError(value)


def choice_of(allowed: Sequence[str]) -> Callable[[str], str]:
    """The parser that takes one of these texts."""

    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError(value)
        return value

    return parse


def one_of(*allowed: str) -> Callable[[str], int]:
    """The parser that takes one of these numbers."""
    choice = choice_of(allowed)
    return lambda value: int(choice(value))


def parse_path_name(value: str) -> str:
    """A name that may stand in a path."""
    if not value or not value.replace("-", "").replace("_", "").isalnum():
        raise ValueError(value)
    return value


def parse_key(value: str) -> str:
    """A public key in base64, or none."""
    if value and len(base64.b64decode(value, validate=True)) != _KEY_BYTES:
        raise ValueError(value)
    return value


def switch(value: str) -> bool:
    """On or off."""
    values = {"on": True, "1": True, "true": True, "off": False, "0": False, "false": False}
    if value.lower() not in values:
        raise ValueError(value)
    return values[value.lower()]


def parse_token(text: str) -> str:
    """Parse a bearer token; empty: none. Raises ValueError for one that is short or that no header can carry."""
    if text and (len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text):
        raise ValueError
    return text
