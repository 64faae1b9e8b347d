"""Schema versions of published tables with their log positions, stored on the bus."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import versions_topic
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, TableChanges
from zcbus.model.evolution import change_clauses
from zcbus.model.position import START, Position
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json

_KEEP = Retention(size_bytes=256 << 20)
_READ_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """A schema version and its start."""

    table: str
    """Id of the published table."""
    schema: TableSchema
    position: str
    """Position of its first transaction in the database's notation; empty: unknown."""
    time_ms: int
    """Commit time in the source, or the start of the capture."""


class SchemaVersions:
    """Writer of a node's schema versions.

    A version is durable before its first change: a crash in between neither loses nor duplicates it.
    """

    def __init__(self, bus: Bus, node: str) -> None:
        """Read the current versions. Raises TransientError."""
        self._bus, self._topic = bus, versions_topic(node)
        self._current = {version.table: version.schema for version in read_schema_versions(bus, node)}
        self._new: list[SchemaVersion] = []

    def begin(self, tables: Iterable[tuple[str, TableSchema]], position: str) -> None:
        """Record the first versions of tables (by id) whose capture begins here."""
        for table, schema in tables:
            if table not in self._current:
                self._note(SchemaVersion(table, schema, position, now_ms()))

    def observe(
        self, table: str, changes: TableChanges, frame: ChangeFrame, describe: Callable[[Position], str]
    ) -> None:
        """Record a new version in changes to publish; cheap while the schema is unchanged."""
        current = self._current.get(table)
        if current is changes.schema:
            return
        if current is not None and not change_clauses(current, changes.schema):
            self._current[table] = changes.schema
            return
        transactions = frame.transactions
        # Without rows, only the schema was logged so far.
        first = changes.transactions[0].as_py() if len(changes.transactions) else len(transactions) - 1
        position = transactions.position(first)
        text = describe(position) if position != START else ""
        self._note(SchemaVersion(table, changes.schema, text, transactions.commit_times[first].as_py()))

    def write(self) -> None:
        """Write the new versions durably. Raises TransientError: retry before the changes are published."""
        if not self._new:
            return
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([orjson.dumps([_to_dict(version) for version in self._new])])
            writer.flush()
        self._new.clear()
        self._bus.enforce(self._topic, _KEEP)

    def _note(self, version: SchemaVersion) -> None:
        self._current[version.table] = version.schema
        self._new.append(version)


def read_schema_versions(bus: Bus, node: str) -> Iterator[SchemaVersion]:
    """All versions of a node, in log order. Raises TransientError, OffsetExpired."""
    topic = versions_topic(node)
    info = bus.info(topic)
    if info is None:
        return
    with bus.reader(topic, info.first_offset) as reader:
        while reader.next_offset < info.next_offset:
            for record in reader.read(16, _READ_BYTES, 0):
                for line in orjson.loads(record.payload):
                    yield _from_dict(line)


def _to_dict(version: SchemaVersion) -> dict[str, object]:
    schema = schema_to_json(version.schema)
    return {"table": version.table, "schema": schema, "position": version.position, "time": version.time_ms}


def _from_dict(line: dict[str, Any]) -> SchemaVersion:
    return SchemaVersion(line["table"], schema_from_json(line["schema"]), line["position"], line["time"])
