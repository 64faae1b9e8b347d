"""Settings from the environment and an optional TOML file; the environment wins.

The names are fixed in the contract (`ZCBUS_*`). In the TOML file the same names stand in lower case without the
prefix. A wrong value stops the start with one clear sentence: `SettingsError`.
"""

import base64
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from zcbus.kit.errors import TerminalError

T = TypeVar("T")

_KEY_BYTES = 32


class SettingsError(TerminalError):
    """A setting has a value that cannot be used. Facts: name, value, expected."""

    code = "setting-invalid"

    def _describe(self) -> str:
        return "{name} is {value!r}; expected {expected}".format(**self.facts)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a process of the platform is started with. Paths are absolute."""

    data_dir: Path
    host: str
    port: int
    database_url: str
    bus: str
    admin_password: str | None
    deployment: int
    product: str
    login_captcha: bool
    demo: bool
    # Base64 of the Ed25519 key that registration codes are checked with.
    registration_key: str | None


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read settings; `ZCBUS_CONFIG` names the TOML file. Raises SettingsError."""
    source = _Source(os.environ if environment is None else environment)
    data_dir = Path(source.text("data_dir", "./var")).absolute()
    return Settings(
        data_dir=data_dir,
        host=source.text("host", "127.0.0.1"),
        port=source.parsed("port", "8080", _port, "a port from 0 to 65535"),
        database_url=source.parsed(
            "database_url",
            f"sqlite:///{data_dir}/zcbus.db",
            _database_url,
            "sqlite:///… or postgresql+psycopg://…",
        ),
        bus=source.parsed("bus", "embedded:", _bus, "embedded:"),
        admin_password=source.text("admin_password", "") or None,
        deployment=source.parsed("deployment", "0", _one_of("0", "1", "2"), "0, 1 or 2"),
        product=source.parsed("product", "zcbus", _path_word, "letters, digits, - or _"),
        login_captcha=source.parsed("login_captcha", "on", _switch, "on or off"),
        demo=source.parsed("demo", "0", _switch, "1 or 0"),
        registration_key=source.parsed("registration_key", "", _key, "32 bytes in base64") or None,
    )


class _Source:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._file = _read_file(environment.get("ZCBUS_CONFIG"))

    def text(self, name: str, default: str) -> str:
        value = self._environment.get(f"ZCBUS_{name.upper()}")
        return value if value is not None else str(self._file.get(name, default))

    def parsed(self, name: str, default: str, parse: Callable[[str], T], expected: str) -> T:
        value = self.text(name, default)
        try:
            return parse(value)
        except ValueError:
            raise SettingsError(name=f"ZCBUS_{name.upper()}", value=value, expected=expected) from None


def _read_file(path: str | None) -> dict[str, object]:
    if not path:
        return {}
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(name="ZCBUS_CONFIG", value=path, expected=f"a readable TOML file ({error})") from error


def _port(value: str) -> int:
    port = int(value)
    if not 0 <= port <= 65535:
        raise ValueError(value)
    return port


def _database_url(value: str) -> str:
    if not value.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError(value)
    return value


def _bus(value: str) -> str:
    if value != "embedded:":
        raise ValueError(value)
    return value


def _one_of(*allowed: str) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if value not in allowed:
            raise ValueError(value)
        return int(value)

    return parse


def _path_word(value: str) -> str:
    if not value or not value.replace("-", "").replace("_", "").isalnum():
        raise ValueError(value)
    return value


def _key(value: str) -> str:
    if value and len(base64.b64decode(value, validate=True)) != _KEY_BYTES:
        raise ValueError(value)
    return value


def _switch(value: str) -> bool:
    words = {"on": True, "1": True, "true": True, "off": False, "0": False, "false": False}
    if value.lower() not in words:
        raise ValueError(value)
    return words[value.lower()]
