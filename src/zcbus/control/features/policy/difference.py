"""Difference of two states of a policy: settings, and tables field by field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zcbus.control.features.policy.contents import SETTINGS, PolicyContents, PolicyTable

_FIELDS = tuple(name for name in PolicyTable.model_fields if name != "source")


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field with its values as JSON."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """From one state to another. `changed`: fields by table; tables are named `schema.table`."""

    settings: list[FieldDifference] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: Mapping[str, list[FieldDifference]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.settings or self.added or self.removed or self.changed)


def compare(before: PolicyContents, after: PolicyContents) -> Difference:
    """Tables by name; their order does not matter."""
    old = {table.name: table for table in before.tables}
    new = {table.name: table for table in after.tables}
    changed = {name: _fields(old[name], new[name], _FIELDS) for name in sorted(old.keys() & new.keys())}
    return Difference(
        settings=_fields(before, after, SETTINGS),
        added=sorted(new.keys() - old.keys()),
        removed=sorted(old.keys() - new.keys()),
        changed={name: fields for name, fields in changed.items() if fields},
    )


def _fields(
    before: PolicyContents | PolicyTable, after: PolicyContents | PolicyTable, names: tuple[str, ...]
) -> list[FieldDifference]:
    old = before.model_dump(mode="json", by_alias=True)
    new = after.model_dump(mode="json", by_alias=True)
    aliases = {name: type(before).model_fields[name].alias or name for name in names}
    return [FieldDifference(alias, old[alias], new[alias]) for alias in aliases.values() if old[alias] != new[alias]]
