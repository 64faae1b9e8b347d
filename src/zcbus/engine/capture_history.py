"""Which tables have been captured without a gap since their snapshot began, kept on the bus over restarts.

A table that was left out for a while (refused, dropped, taken out of the publication) must not go on as if nothing had
happened: subscribers would miss changes silently. It is published again only with a new snapshot, or when somebody has
accepted the gap. The publisher writes the book; subscribers read in it where a table's capture began.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from zcbus.bus.contract import Bus, Retention
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.tasks import PublishedTable

_KEEP = Retention(size_bytes=1 << 20)


class Mark(NamedTuple):
    """What tells one unbroken capture of a table from the next: a new snapshot, or an accepted gap, begins another."""

    generation: int
    gap: int = 0

    @classmethod
    def of(cls, table: PublishedTable) -> "Mark":
        """The capture that is wanted."""
        return cls(table.generation, table.gap)


class Place(NamedTuple):
    """A border of transactions on the real topic."""

    offset: int
    record_time: int | None = None
    """Append time of the record before it: proves that it is still the same topic."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A table that is captured, and where on the real topic that began."""

    mark: Mark
    since: Place
    name: TableName | None = None
    """None: written before names were."""


class CaptureHistory:
    """The book of one publish node, by the published table's id. Each change is durable when the method returns.

    `reached`, wherever it is asked for: the real topic has the changes of all captured tables up to there; None: that
    is not known.
    """

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus, self._topic = bus, f"state/{node}"
        self._captured: dict[str, Captured] = {}
        self._interrupted: dict[str, Mark] = {}
        self._ended: dict[TableName, Position | None] = {}
        """Tables that were captured and are not now: how far the real topic has their changes."""
        self.log = FIRST_LOG
        """The log that was captured last; without identity: not known."""
        self.let_go: dict[str, str] = {}
        """What the source was let forget since then, as the facts of SlotDropped; empty: nothing."""
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
        self.let_go = data.get("let_go", {})

    def interrupted(self, table: PublishedTable, snapshot_begun: bool) -> bool:
        """Whether changes of the table may be missing from the real topic since its snapshot, and nobody accepted
        that."""
        mark, broken, captured = Mark.of(table), self._interrupted.get(table.id), self._captured.get(table.id)
        if broken is not None and broken.generation == mark.generation:
            return broken == mark
        return snapshot_begun and (captured is None or captured.mark.generation != mark.generation)

    def new_since_capture(self, table: PublishedTable) -> bool:
        """Whether nothing of this capture of the table was written yet, so that no gap harms it."""
        captured = self._captured.get(table.id)
        return captured is None or captured.mark != Mark.of(table)

    def since(self, table: str, gap: int) -> Place | None:
        """Where the table's capture began that follows this gap, or a later one; None: it did not begin."""
        captured = self._captured.get(table)
        return captured.since if captured is not None and captured.mark.gap >= gap else None

    def note_let_go(self, facts: Mapping[str, str]) -> None:
        """The source is about to be let forget what it keeps for this node."""
        self.let_go = dict(facts)
        self._save()

    def give_up(self, reached: Position | None) -> None:
        """Changes of everything that was captured are lost; to be called before capture begins anew."""
        self.left_out(set(self._captured), reached)

    def left_out(self, failed: set[str], reached: Position | None) -> None:
        """These tables are left out against the operator's will; to be called before the source is told."""
        gone = {table: captured.mark for table, captured in self._captured.items() if table in failed}
        if gone:
            self._interrupted.update(gone)
            self._ended |= {c.name: reached for table, c in self._captured.items() if table in gone and c.name}
            self._captured = {table: c for table, c in self._captured.items() if table not in gone}
            self._save()

    def log_of(self, identity: str) -> SourceLog:
        """The log of a server that answers now: the one that was captured last, or the next one."""
        if self.log.identity in ("", identity):
            return SourceLog(identity, self.log.number)
        return SourceLog(identity, self.log.number + 1)

    def resumed(self, tables: Iterable[PublishedTable]) -> dict[str, int]:
        """Which of these tables, about to be captured, were captured before and left out since: their ids, and the
        numbers of the snapshots that were wanted then. The real topic has to say so before `capturing`."""
        return {table.id: self._interrupted[table.id].generation for table in tables if table.id in self._interrupted}

    def since_when(self, tables: Iterable[PublishedTable]) -> dict[TableName, Position | None]:
        """Up to where the real topic has the changes of those of these tables, about to be captured, that it had
        before and has no longer."""
        before = [_name(t) for t in tables if t.id in self._interrupted or _name(t) in self._ended]
        return {name: self._ended.get(name) for name in before}

    def capturing(
        self, tables: Iterable[PublishedTable], log: SourceLog, now: Place, reached: Position | None = None
    ) -> None:
        """From now on exactly these tables are captured, from that log; `now`: what comes next on the real topic."""
        captured = {table.id: self._kept(table, now) for table in tables}
        interrupted = {table: mark for table, mark in self._interrupted.items() if _still(mark, captured.get(table))}
        ended = self._left(captured.values(), reached)
        if self.let_go or (captured, interrupted, ended, log) != (
            self._captured,
            self._interrupted,
            self._ended,
            self.log,
        ):
            self._captured, self._interrupted, self._ended = captured, interrupted, ended
            self.log, self.let_go = log, {}
            self._save()

    def _kept(self, table: PublishedTable, now: Place) -> Captured:
        known, mark = self._captured.get(table.id), Mark.of(table)
        return Captured(mark, known.since if known is not None and known.mark == mark else now, _name(table))

    def _left(self, captured: Iterable[Captured], reached: Position | None) -> dict[TableName, Position | None]:
        """As `_ended`, once these are what is captured."""
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
            "let_go": self.let_go,
        }
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([orjson.dumps(data, default=list)])
            writer.flush()


def _captured(value: Any) -> Captured:
    if isinstance(value, int):  # as it was written before gaps could be accepted
        return Captured(Mark(value), Place(0))
    generation, gap, offset, record_time, *name = value
    return Captured(Mark(generation, gap), Place(offset, record_time), TableName(*name) if name else None)


def _written(captured: Captured) -> list[Any]:
    name = captured.name
    return [*captured.mark, *captured.since, *((name.schema, name.table) if name is not None else ())]


def _still(mark: Mark, captured: Captured | None) -> bool:
    """Whether a table that is wanted as `captured` says, if at all, still lacks what it lacked."""
    return captured is None or captured.mark == mark


def _name(table: PublishedTable) -> TableName:
    return TableName(table.source.schema_name, table.source.table)


def _mark(value: Any) -> Mark:
    return Mark(value) if isinstance(value, int) else Mark(*value)
