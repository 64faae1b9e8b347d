"""A document as text: YAML as a person would write it, with guesses marked."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*|\d{1,9}")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_MARK = "  # guess"


def rendered(
    title: str, auth: Mapping[str, str], resources: Sequence[Mapping[str, Any]], *, is_auth_guessed: bool = False
) -> str:
    """The document of resources in its own notation."""
    lines = [f"# {' '.join(title.split())} (OpenAPI)" if title.isprintable() else "# OpenAPI"]
    lines += [f"auth: {_inline(auth)}" + (_MARK if is_auth_guessed else ""), "resources:"]
    for resource in resources:
        lines.extend(_resource(resource))
    return "\n".join(lines) + "\n"


def _resource(resource: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, value in resource.items():
        if name == "columns":
            lines += ["columns:", *(f"  {_scalar(column)}: {kind}" for column, kind in value.items())]
        else:
            lines.append(f"{name}: {_inline(value)}" + (_MARK if name in ("key", "pages") else ""))
    return [f"  - {lines[0]}", *(f"    {line}" for line in lines[1:])]


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(name)}: {_inline(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value) if isinstance(value, int) else _scalar(str(value))


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)
