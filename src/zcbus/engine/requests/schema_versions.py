"""Schema versions of a published table."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.engine.publish.schema_versions import SchemaVersion, read_schema_versions
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.evolution import change_clauses
from zcbus.model.schema import TableSchema
from zcbus.protocol.bus_requests import ListVersions, VersionColumn, VersionLine, Versions


def list_versions(request: ListVersions, data_dir: Path, bus_settings: BusSettings) -> Versions:
    """Versions, newest first; none if the table was never captured. Raises TransientError, OffsetExpired."""
    bus = open_bus(bus_settings, data_dir)
    try:
        kept = [version for version in read_schema_versions(bus, request.node) if version.table == request.table]
    finally:
        bus.close()
    return Versions(versions=tuple(reversed(lines_of(kept))))


def lines_of(versions: Iterable[SchemaVersion]) -> Sequence[VersionLine]:
    """Versions of one table in the order of its log. A version recorded twice after an interruption counts once."""
    lines: list[VersionLine] = []
    before: TableSchema | None = None
    for version in versions:
        changes = change_clauses(before, version.schema) if before is not None else []
        if before is None or changes:
            lines.append(_line(len(lines) + 1, version, changes))
        before = version.schema
    return lines


def _line(number: int, version: SchemaVersion, changes: Sequence[str]) -> VersionLine:
    key = version.schema.key()
    return VersionLine(
        number=number,
        position=version.position,
        time_ms=version.time_ms,
        changes=tuple(changes),
        columns=tuple(
            VersionColumn(name=column.name, type=column.type.native, nullable=column.nullable, key=column.name in key)
            for column in version.schema.columns
        ),
    )
