"""Where settings are read from: the environment, and an optional TOML file behind it."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from zcbus.kit.errors import TerminalError

T = TypeVar("T")


class SettingsError(TerminalError):
    """A setting has a value that cannot be used. Facts: name, value, expected."""

    code = "setting-invalid"

    def _describe(self) -> str:
        return "{name} is {value!r}; expected {expected}".format(**self.facts)


class SettingSource:
    """Reads settings by name, and remembers which."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._file = _read_file(environment.get("ZCBUS_CONFIG"))
        self.read: dict[str, tuple[str, str]] = {}
        """Name → default and accepted values of each setting read so far."""

    def text(self, name: str, default: str) -> str:
        """The text of a setting."""
        self.read.setdefault(name, (default, ""))
        value = self._environment.get(f"ZCBUS_{name.upper()}")
        return value if value is not None else str(self._file.get(name, default))

    def parsed(self, name: str, default: str, parse: Callable[[str], T], expected: str, secret: bool = False) -> T:
        """The value of a setting. Raises SettingsError where `parse` raises ValueError; the text of a `secret` is not
        shown."""
        self.read[name] = (default, expected)
        value = self.text(name, default)
        try:
            return parse(value)
        except ValueError:
            shown = "…" if secret else value
            raise SettingsError(name=f"ZCBUS_{name.upper()}", value=shown, expected=expected) from None


def _read_file(path: str | None) -> dict[str, object]:
    if not path:
        return {}
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(name="ZCBUS_CONFIG", value=path, expected=f"a readable TOML file ({error})") from error
