"""What the target stores of a subscription, in the transactions of the data it describes.

| name                | content                                                                              |
|---------------------|--------------------------------------------------------------------------------------|
| empty               | the channel applier: how far the real topic is applied for the tables that it carries |
| `#0`, `#1`, …       | parallel appliers: each writes some keys of these tables over its own session        |
| table id            | the table's load, its figures, and its own position while it catches up alone        |
| table id`/structure` | the table's schema                                                                   |
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import orjson

from zcbus.connectors.roles import Checkpoint, TargetSession
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json

MAIN = ""


class Amount(NamedTuple):
    """How much was loaded; the size is that of the values as they were handed to the target."""

    rows: int
    nbytes: int


class Phase(StrEnum):
    """Where a table stands."""

    LOADING = "loading"
    """Rows of the full topic up to `full_offset` are in the target."""
    FINISHED = "finished"
    """Loaded; changes are not wanted."""
    APART = "apart"
    """Changes of the real topic before `offset` are in the target; it catches up alone."""
    MEMBER = "member"
    """The channel applier carries it, from `offset` on."""
    EXPIRED = "expired"
    """What it needs is gone from the bus; only a new load helps."""
    GIVEN_AWAY = "given-away"
    """Another channel carries it, with the move of that number; see takeover."""


@dataclass(frozen=True, slots=True)
class ChannelCheckpoint:
    """The channel applier's memory."""

    offset: int = 0
    """Of the first record that is not applied."""
    record_time: int | None = None
    """Append time of the record before it: proves that it is still the same topic."""


@dataclass(frozen=True, slots=True)
class ApplierCheckpoint:
    """A parallel applier's memory: what it has written of the channel applier's last round."""

    begin: int = 0
    """The channel applier's place before the round, as in ChannelCheckpoint."""
    begin_time: int | None = None
    offset: int = 0
    """Its changes of the records from `begin` up to here, which is not among them, are in the target."""
    count: int = 1
    """Among how many checkpoints the keys were divided."""
    tables: tuple[str, ...] = ()
    """The tables of which these changes are."""

    def is_ahead_of(self, main: ChannelCheckpoint) -> bool:
        """Whether the round's changes are there and the channel applier does not know it yet."""
        return (self.begin, self.begin_time) == (main.offset, main.record_time) and self.offset > main.offset


@dataclass(frozen=True, slots=True)
class Partly:
    """Changes of a table that are in the target already, though its place says otherwise: those of the records before
    `until` whose keys belong to the checkpoints `done` of `count`."""

    until: int
    count: int
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableCheckpoint:
    """A table's memory."""

    generation: int
    phase: Phase
    full_offset: int = 0
    """Of the first record of the full topic that is not loaded."""
    ahead: tuple[tuple[int, int], ...] = ()
    """Records behind it that are loaded all the same: their offsets and append times."""
    direct: bool = False
    """The rows are taken from the source, part by part; `full_offset` counts the parts that are loaded."""
    stretches: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Which of these rows are loaded; see key_stretches."""
    offset: int = 0
    record_time: int | None = None
    since: str = ""
    """Changes up to this position are in the loaded rows; empty: no load."""
    until: str = ""
    """The table is consistent once changes up to here are applied."""
    merge: bool = False
    """Rows may be there already: the load replaces by key."""
    created: bool = False
    """The target table was made by us, so a reload may empty it."""
    bare: bool = False
    """The target table may lack what `TargetSession.complete_table` makes."""
    columns: tuple[tuple[str, str], ...] = ()
    """Source columns the target table was made for: names and native types; (): not made yet."""
    key: tuple[str, ...] = ()
    place: str = ""
    """The source table (see model.origin); empty: not known yet."""
    beside: str = ""
    """Table beside the target table that is loaded, or was and is to be dropped; in the same schema."""
    spelled: tuple[tuple[str, str], ...] = ()
    """Names wanted in the target and how the target table, which was there already, spells them, where that differs."""
    rows_total: int | None = None
    rows_loaded: int = 0
    bytes_loaded: int = 0
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    load_started_ms: int | None = None
    load_finished_ms: int | None = None
    last_change_ms: int | None = None
    skip_revision: int = 0
    """Of the task's skip counts; the two figures below are what was used of them."""
    dml_skipped: int = 0
    ddl_skipped: int = 0
    structures_followed: int = 0
    """Changes of the source's structure since the load that the target table followed; below, that it did not."""
    structures_skipped: int = 0
    structure_ms: int | None = None
    """When the last of both was."""
    moves: int = 0
    """Number of the move to another channel that brought the table here, or took it away."""
    partly: Partly | None = None

    def partly_behind(self, offset: int) -> Partly | None:
        """What is there already of the records from `offset` on; None: nothing."""
        return self.partly if self.partly is not None and self.partly.until > offset else None

    @property
    def since_position(self) -> Position | None:
        return Position.parse(self.since) if self.since else None

    @property
    def until_position(self) -> Position | None:
        return Position.parse(self.until) if self.until else None


@dataclass(frozen=True, slots=True)
class SchemaCheckpoint:
    """The source's structure of a table, as the target's rows were last written. In a checkpoint of its own, because it
    is large and seldom changes."""

    schema: str
    """JSON of the TableSchema."""


_STRUCTURE = "/structure"
_KEYS = "#"


def structure_name(table: str) -> str:
    """Name of the checkpoint with a table's structure."""
    return table + _STRUCTURE


def table_of_structure(name: str) -> str:
    """The table whose structure a checkpoint of that name keeps; empty: it keeps none."""
    return name.removesuffix(_STRUCTURE) if name.endswith(_STRUCTURE) else ""


def applier_name(number: int) -> str:
    """Name of the parallel applier of that number, from 0."""
    return f"{_KEYS}{number}"


def number_of_applier(name: str) -> int | None:
    """The number of the parallel applier of that name; None: it is another checkpoint."""
    return int(name.removeprefix(_KEYS)) if name.startswith(_KEYS) else None


def is_of_table(name: str) -> bool:
    """Whether a checkpoint of that name is a table's."""
    return name != MAIN and number_of_applier(name) is None


def applier_checkpoint(data: str) -> ApplierCheckpoint:
    """From the stored JSON."""
    fields = orjson.loads(data)
    return ApplierCheckpoint(**{**fields, "tables": tuple(fields["tables"])})


def applier_checkpoints(stored: Mapping[str, str]) -> dict[int, ApplierCheckpoint]:
    """The parallel appliers by number. `stored`: the data of checkpoints by name."""
    numbers = {name: number_of_applier(name) for name in stored}
    return {number: applier_checkpoint(stored[name]) for name, number in numbers.items() if number is not None}


def schema_checkpoint(data: str) -> TableSchema:
    """From the stored JSON."""
    return schema_from_json(SchemaCheckpoint(**orjson.loads(data)).schema)


def channel_checkpoint(data: str) -> ChannelCheckpoint:
    """From the stored JSON."""
    return ChannelCheckpoint(**orjson.loads(data))


def table_checkpoint(data: str) -> TableCheckpoint:
    """From the stored JSON."""
    fields = orjson.loads(data)
    for name in ("columns", "spelled", "ahead"):
        fields[name] = tuple((one, other) for one, other in fields.get(name, ()))
    if fields.get("partly") is not None:
        fields["partly"] = Partly(**{**fields["partly"], "done": tuple(fields["partly"]["done"])})
    fields["stretches"] = tuple((tuple(lower), tuple(upper)) for lower, upper in fields.get("stretches", ()))
    return TableCheckpoint(**{**fields, "phase": Phase(fields["phase"]), "key": tuple(fields["key"])})


def with_amount(checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
    """The checkpoint once so much more is loaded."""
    rows, nbytes = checkpoint.rows_loaded + amount.rows, checkpoint.bytes_loaded + amount.nbytes
    return replace(checkpoint, rows_loaded=rows, bytes_loaded=nbytes)


def with_loaded(
    checkpoint: TableCheckpoint, records: Mapping[int, int], amount: Amount, total: int | None
) -> TableCheckpoint:
    """The checkpoint once these records of the full topic (offset → append time) are loaded, with so much in them."""
    ahead = {**dict(checkpoint.ahead), **records}
    offset, record_time = checkpoint.full_offset, checkpoint.record_time
    while offset in ahead:
        record_time = ahead.pop(offset)
        offset += 1
    return replace(
        with_amount(checkpoint, amount),
        full_offset=offset,
        record_time=record_time,
        ahead=tuple(sorted(ahead.items())),
        rows_total=total,
    )


def put_down(checkpoint: TableCheckpoint, main: ChannelCheckpoint) -> TableCheckpoint:
    """The memory of a table that a channel applier carried up to there and does not any more."""
    offset = max(checkpoint.offset, main.offset)
    record_time = main.record_time if offset == main.offset else None
    return replace(checkpoint, phase=Phase.APART, offset=offset, record_time=record_time)


def with_parallel_appliers(
    table: str, checkpoint: TableCheckpoint, main: ChannelCheckpoint, keys: Mapping[int, ApplierCheckpoint]
) -> TableCheckpoint:
    """The memory of a table that the channel applier carries, with what parallel appliers have of it ahead of the
    channel applier."""
    ahead = {number: one for number, one in keys.items() if one.is_ahead_of(main) and table in one.tables}
    if not ahead:
        return checkpoint
    newest = next(iter(ahead.values()))  # all are of one round
    return replace(checkpoint, partly=Partly(newest.offset, newest.count, tuple(sorted(ahead))))


Written = ChannelCheckpoint | ApplierCheckpoint | TableCheckpoint | SchemaCheckpoint


class CheckpointWriter:
    """Writes checkpoints of one subscription in one session, counting versions. A version counts once it is
    committed."""

    def __init__(self, subscription: str, session: TargetSession, versions: dict[str, int]) -> None:
        self.subscription, self.session = subscription, session
        self.versions = versions
        self._open: dict[str, int] = {}

    def write(self, name: str, data: Written) -> None:
        """Store a checkpoint in the open transaction. Raises Fenced."""
        self.write_all({name: data})

    def write_all(self, written: Mapping[str, Written]) -> None:
        """Store checkpoints in the open transaction, in their order. Raises Fenced."""
        versions = {name: self._open.get(name, self.versions.get(name, 0)) + 1 for name in written}
        self.session.write_checkpoints(
            [
                Checkpoint(self.subscription, name, versions[name], orjson.dumps(data).decode())
                for name, data in written.items()
            ]
        )
        self._open |= versions

    def commit(self, durable: bool = True) -> None:
        """Commit the session's transaction; see TargetSession.commit."""
        self.session.commit(durable)
        self.versions.update(self._open)
        self._open.clear()

    def rollback(self) -> None:
        """Roll the session's transaction back."""
        self._open.clear()
        self.session.rollback()
