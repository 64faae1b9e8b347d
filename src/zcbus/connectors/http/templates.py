"""Texts with `${NAME}`, filled from what is known when a request is made."""

import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(r"\$\{([A-Za-z0-9_.-]{1,100})\}")


class ValueMissing(ValueError):
    """A text refers to a missing value; its name."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its values. Raises ValueMissing."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in values:
            raise ValueMissing(name)
        return values[name]

    return _NAME.sub(value, text)


def filled_below(value: Any, values: Mapping[str, str]) -> Any:
    """JSON with all its texts filled. Raises ValueMissing."""
    if isinstance(value, str):
        return filled(value, values)
    if isinstance(value, dict):
        return {name: filled_below(one, values) for name, one in value.items()}
    if isinstance(value, list):
        return [filled_below(one, values) for one in value]
    return value


def parameters(text: str) -> dict[str, str]:
    """Values by name of an option `name=value`, one a line or divided by commas."""
    found = {}
    for part in re.split(r"[,\n]", text):
        name, sign, value = part.partition("=")
        if sign and name.strip():
            found[name.strip()] = value.strip()
    return found
