"""A captured table's schema from a position of the log on, as the history document stores it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.postgresql.capture.column_identity import KnownColumns
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json


@dataclass(frozen=True, slots=True)
class Version:
    """A table's schema from a position of the log on."""

    final: int
    """Start of the commit record of the first transaction that has it; 0: it existed when capture began."""
    read_at: int
    """How far the log went when the catalog was read for it; rows before are not captured where `final` is 0."""
    files: str
    """See TableAttributes: as of the newest position where catalog and log agreed."""
    changed: Mapping[int, int]
    """Attribute.changed_by of each column, as of the same position."""
    known: KnownColumns
    schema: TableSchema


def version_to_json(version: Version) -> dict[str, Any]:
    return {
        "final": version.final,
        "read_at": version.read_at,
        "files": version.files,
        "changed": list(version.changed.items()),
        "highest": version.known.highest,
        "columns": [[n, one.name, one.type, one.modifier] for n, one in version.known.columns.items()],
        "schema": schema_to_json(version.schema),
    }


def version_from_json(data: Mapping[str, Any]) -> Version:
    columns = {number: RelationColumn(name, kind, modifier) for number, name, kind, modifier in data["columns"]}
    known = KnownColumns(columns, data["highest"])
    schema = schema_from_json(data["schema"])
    return Version(data["final"], data["read_at"], data["files"], dict(data["changed"]), known, schema)
