"""Which structures a published table had, and from where in the source's log on, kept on the bus."""

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
    """A structure and where it begins."""

    table: str
    """Id of the published table."""
    schema: TableSchema
    position: str
    """Of the first transaction that has it, in the database's own words; empty: the log does not tell."""
    time_ms: int
    """When that was committed in the source, or when the capture began."""


class SchemaVersions:
    """The writer of one node's versions. A version is durable before the first change that has it: a crash in between
    neither loses it nor notes it twice."""

    def __init__(self, bus: Bus, node: str) -> None:
        """Raises TransientError."""
        self._bus, self._topic = bus, versions_topic(node)
        self._known = {version.table: version.schema for version in read_schema_versions(bus, node)}
        self._new: list[SchemaVersion] = []

    def begin(self, tables: Iterable[tuple[str, TableSchema]], position: str) -> None:
        """Tables (by id) whose capture begins here: the first structure of those that have none yet."""
        for table, schema in tables:
            if table not in self._known:
                self._note(SchemaVersion(table, schema, position, now_ms()))

    def see(self, table: str, changes: TableChanges, frame: ChangeFrame, describe: Callable[[Position], str]) -> None:
        """Changes of a table that are about to be published; cheap while its structure stays the same."""
        known = self._known.get(table)
        if known is changes.schema:
            return
        if known is not None and not change_clauses(known, changes.schema):
            self._known[table] = changes.schema
            return
        transactions = frame.transactions
        # Where only the structure is told, no row of it has changed yet.
        first = changes.transactions[0].as_py() if len(changes.transactions) else len(transactions) - 1
        position = transactions.position(first)
        words = describe(position) if position != START else ""
        self._note(SchemaVersion(table, changes.schema, words, transactions.commit_times[first].as_py()))

    def write(self) -> None:
        """Make what was noted durable. Raises TransientError: call again before the changes are published."""
        if not self._new:
            return
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([orjson.dumps([_to_dict(version) for version in self._new])])
            writer.flush()
        self._new.clear()
        self._bus.enforce(self._topic, _KEEP)

    def _note(self, version: SchemaVersion) -> None:
        self._known[version.table] = version.schema
        self._new.append(version)


def read_schema_versions(bus: Bus, node: str) -> Iterator[SchemaVersion]:
    """All that is kept of a node, in the order of its log. Raises TransientError, OffsetExpired."""
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
