"""Capture history of a node, kept on the bus: tables captured without a gap since their snapshot.

A table that was excluded for a while (refused, dropped, removed from the publication) must not resume silently:
subscribers would miss changes. It is published again only with a new snapshot or an accepted gap. The publisher
writes the history; subscribers read where a table's capture began.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import state_topic
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.tasks import PublishedTable

_KEEP = Retention(size_bytes=1 << 20)


class Mark(NamedTuple):
    """Identifies one continuous capture of a table; a new snapshot or an accepted gap starts another."""

    generation: int
    gap: int = 0

    @classmethod
    def of(cls, table: PublishedTable) -> "Mark":
        """The desired capture."""
        return cls(table.generation, table.gap)


class TopicPosition(NamedTuple):
    """A transaction boundary on the real topic."""

    offset: int
    record_time: int | None = None
    """Append time of the previous record, which identifies the topic."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A captured table, and the position on the real topic where its capture began."""

    mark: Mark
    since: TopicPosition
    name: TableName | None = None
    """None: written by a version without names."""


class CaptureHistory:
    """Capture history of a publish node, by published table id. Changes are durable when a method returns.

    `reached` is always the position up to which the real topic has the changes of all captured tables; None: unknown.
    """

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus, self._topic = bus, state_topic(node)
        self._captured: dict[str, Captured] = {}
        self._interrupted: dict[str, Mark] = {}
        self._ended: dict[TableName, Position | None] = {}
        """Tables no longer captured → position up to which the real topic has their changes."""
        self.log = FIRST_LOG
        """The log captured last; without identity: unknown."""
        self.released: dict[str, str] = {}
        """Facts of the SlotDropped since then; empty: none."""
        self._load()

    def _load(self) -> None:
        info = self._bus.info(self._topic)
        if info is None or info.next_offset == 0:
            return
        with self._bus.reader(self._topic, info.next_offset - 1) as reader:
            data = orjson.loads(reader.read(1, 1, 0)[0].payload)
        self._captured = {table: _captured(value) for table, value in data["captured"].items()}
        self._interrupted = {table: _mark(value) for table, value in data["interrupted"].items()}
        self._ended = {TableName(*name): at and Position.parse(at) for *name, at in data.get("ended", ())}
        self.log = SourceLog(data.get("log", ""), data.get("log_number", 0))
        self.released = data.get("let_go", {})

    def interrupted(self, table: PublishedTable, snapshot_begun: bool) -> bool:
        """Whether changes of the table since its snapshot may be missing, without an accepted gap."""
        mark, broken, captured = Mark.of(table), self._interrupted.get(table.id), self._captured.get(table.id)
        if broken is not None and broken.generation == mark.generation:
            return broken == mark
        return snapshot_begun and (captured is None or captured.mark.generation != mark.generation)

    def new_since_capture(self, table: PublishedTable) -> bool:
        """Whether nothing of this capture was written yet, so that a gap is harmless."""
        captured = self._captured.get(table.id)
        return captured is None or captured.mark != Mark.of(table)

    def since(self, table: str, gap: int) -> TopicPosition | None:
        """Start of the table's capture after this gap or a later one; None: it has not begun."""
        captured = self._captured.get(table)
        return captured.since if captured is not None and captured.mark.gap >= gap else None

    def note_released(self, facts: Mapping[str, str]) -> None:
        """Record that the source will release its log for this node."""
        self.released = dict(facts)
        self._save()

    def abandon(self, reached: Position | None) -> None:
        """Record that changes of all tables are lost; called before capture starts again."""
        self.exclude(set(self._captured), reached)

    def exclude(self, failed: set[str], reached: Position | None) -> None:
        """Record that tables are excluded because of errors; called before the source is changed."""
        excluded = {table: captured.mark for table, captured in self._captured.items() if table in failed}
        if excluded:
            self._interrupted.update(excluded)
            self._ended |= {c.name: reached for table, c in self._captured.items() if table in excluded and c.name}
            self._captured = {table: c for table, c in self._captured.items() if table not in excluded}
            self._save()

    def log_of(self, identity: str) -> SourceLog:
        """The log of the current server: the one captured last, or the next one."""
        if self.log.identity in ("", identity):
            return SourceLog(identity, self.log.number)
        return SourceLog(identity, self.log.number + 1)

    def resumed(self, tables: Iterable[PublishedTable]) -> dict[str, int]:
        """Id → last snapshot number, of tables that resume after an exclusion.

        The real topic has to record it before `capturing`.
        """
        return {table.id: self._interrupted[table.id].generation for table in tables if table.id in self._interrupted}

    def gap_starts(self, tables: Iterable[PublishedTable]) -> dict[TableName, Position | None]:
        """Name → last position, of tables that resume after the topic lost their changes."""
        before = [_name(t) for t in tables if t.id in self._interrupted or _name(t) in self._ended]
        return {name: self._ended.get(name) for name in before}

    def capturing(
        self, tables: Iterable[PublishedTable], log: SourceLog, now: TopicPosition, reached: Position | None = None
    ) -> None:
        """Record that exactly these tables are captured, from that log; `now`: next position on the real topic."""
        captured = {table.id: self._continued(table, now) for table in tables}
        interrupted = {table: mark for table, mark in self._interrupted.items() if _still(mark, captured.get(table))}
        ended = self._ended_after(captured.values(), reached)
        if self.released or (captured, interrupted, ended, log) != (
            self._captured,
            self._interrupted,
            self._ended,
            self.log,
        ):
            self._captured, self._interrupted, self._ended = captured, interrupted, ended
            self.log, self.released = log, {}
            self._save()

    def _continued(self, table: PublishedTable, now: TopicPosition) -> Captured:
        before, mark = self._captured.get(table.id), Mark.of(table)
        return Captured(mark, before.since if before is not None and before.mark == mark else now, _name(table))

    def _ended_after(self, captured: Iterable[Captured], reached: Position | None) -> dict[TableName, Position | None]:
        """The value of `_ended` when these tables are captured."""
        names = {one.name for one in captured}
        ended = self._ended | {one.name: reached for one in self._captured.values() if one.name}
        return {name: position for name, position in ended.items() if name not in names}

    def _save(self) -> None:
        data: Mapping[str, Any] = {
            "captured": {table: _written(captured) for table, captured in self._captured.items()},
            "interrupted": self._interrupted,
            "ended": [[name.schema, name.table, at and str(at)] for name, at in self._ended.items()],
            "log": self.log.identity,
            "log_number": self.log.number,
            "let_go": self.released,
        }
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([orjson.dumps(data, default=list)])
            writer.flush()


def _captured(value: Any) -> Captured:
    if isinstance(value, int):  # Format of a version without accepted gaps.
        return Captured(Mark(value), TopicPosition(0))
    generation, gap, offset, record_time, *name = value
    return Captured(Mark(generation, gap), TopicPosition(offset, record_time), TableName(*name) if name else None)


def _written(captured: Captured) -> list[Any]:
    name = captured.name
    return [*captured.mark, *captured.since, *((name.schema, name.table) if name is not None else ())]


def _still(mark: Mark, captured: Captured | None) -> bool:
    """Whether a gap remains for a table that is now captured as `captured`."""
    return captured is None or captured.mark == mark


def _name(table: PublishedTable) -> TableName:
    return TableName(table.source.schema_name, table.source.table)


def _mark(value: Any) -> Mark:
    return Mark(value) if isinstance(value, int) else Mark(*value)
