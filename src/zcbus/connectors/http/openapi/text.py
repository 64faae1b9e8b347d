"""The text of a description as JSON values, within limits: JSON, or YAML without aliases."""

import json
from typing import Any

import yaml

from zcbus.connectors.importing import ImportInvalid

_MAX_YAML_LENGTH = 4_000_000
"""Characters. YAML takes about ten times as long to parse as JSON."""
_MAX_EVENTS = 1_000_000
_DEEPEST = 100


def parse(text: str) -> Any:
    """Raises ImportInvalid."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _json(text.lstrip("\ufeff"))
    if len(text) > _MAX_YAML_LENGTH:
        raise ImportInvalid(detail=f"YAML of more than {_MAX_YAML_LENGTH} characters; JSON may be longer")
    try:
        _check(text)
        return yaml.load(text, _Loader)  # noqa: S506 - derived from the safe loader
    except yaml.MarkedYAMLError as error:
        raise ImportInvalid(detail=f"YAML, line {_line(error.problem_mark)}: {error.problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ImportInvalid(detail=f"YAML: {str(error)[:200]}") from error


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Dates stay texts."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportInvalid(detail=f"JSON: {str(error)[:200]}") from error


def _check(text: str) -> None:
    """Aliases and deep nesting are refused before values are built: few lines of them take any memory."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, _Loader)):
        if isinstance(event, yaml.AliasEvent):
            raise ImportInvalid(detail=f"YAML, line {_line(event.start_mark)}: alias")
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            depth += 1
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            depth -= 1
        if depth > _DEEPEST or number > _MAX_EVENTS:
            raise ImportInvalid(detail="YAML: nested too deeply or too many values")


def _line(mark: Any) -> int:
    """From 1; also where the parser gives no place."""
    return int(mark.line) + 1 if mark is not None else 1
