"""Checkpoints of a subscription, stored in the target's transactions of the data they describe.

| name                 | content                                                                               |
|----------------------|---------------------------------------------------------------------------------------|
| empty                | the channel applier: how far the real topic is applied for its tables                 |
| `#0`, `#1`, …        | parallel appliers: each writes some keys of these tables over its own session         |
| table id             | the table's load, its figures, and its own position while it catches up alone         |
| table id`/structure` | the table's schema                                                                    |

The names of the fields are those of the stored JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import orjson

from zcbus.connectors.roles import Checkpoint, TargetSession
from zcbus.engine.subscribe.checkpoints.counts import Counts
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json

MAIN = ""


class Amount(NamedTuple):
    """Loaded rows; bytes are those of the values as sent to the target."""

    rows: int
    nbytes: int


class Phase(StrEnum):
    """Phases of a table."""

    LOADING = "loading"
    """Rows of the full topic up to `full_offset` are in the target."""
    FINISHED = "finished"
    """Loaded; changes are not replicated."""
    APART = "apart"
    """Changes of the real topic before `offset` are in the target; it catches up alone."""
    MEMBER = "member"
    """The channel applier applies it, from `offset` on."""
    EXPIRED = "expired"
    """The bus no longer has what it needs; only a new load helps."""
    MOVED_AWAY = "given-away"
    """Another channel has it, by the move of that number; see takeover."""


@dataclass(frozen=True, slots=True)
class ChannelCheckpoint:
    """Checkpoint of the channel applier."""

    offset: int = 0
    """Offset of the first record that is not applied."""
    record_time: int | None = None
    """Append time of the previous record, which identifies the topic."""


@dataclass(frozen=True, slots=True)
class ApplierCheckpoint:
    """Checkpoint of a parallel applier: what it wrote in the last round."""

    begin: int = 0
    """The channel applier's position before the round, as in ChannelCheckpoint."""
    begin_time: int | None = None
    offset: int = 0
    """Its changes in the records from `begin` to before this offset are in the target."""
    count: int = 1
    """Number of parts that the keys were divided into."""
    tables: tuple[str, ...] = ()
    """Tables of these changes."""

    def is_ahead_of(self, main: ChannelCheckpoint) -> bool:
        """Whether the round is written and the channel applier has not recorded it yet."""
        return (self.begin, self.begin_time) == (main.offset, main.record_time) and self.offset > main.offset


@dataclass(frozen=True, slots=True)
class Partly:
    """Changes of a table that are in the target ahead of its position.

    They are those in records before `until`, with keys of the appliers `done` of `count`.
    """

    until: int
    count: int
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableCheckpoint:
    """Checkpoint of a table."""

    generation: int
    phase: Phase
    full_offset: int = 0
    """Offset of the first record of the full topic that is not loaded."""
    ahead: tuple[tuple[int, int], ...] = ()
    """Loaded records behind that one: offset and append time."""
    direct: bool = False
    """Whether the rows are read from the source; then `full_offset` counts the loaded parts."""
    stretches: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Key ranges of the loaded rows; see key_ranges."""
    offset: int = 0
    record_time: int | None = None
    since: str = ""
    """The loaded rows contain changes up to this position; empty: no load."""
    until: str = ""
    """The table is consistent once changes up to here are applied."""
    merge: bool = False
    """Whether rows may exist already: the load replaces by key."""
    created: bool = False
    """Whether the platform created the target table, so that a reload may empty it."""
    bare: bool = False
    """Whether the target table may lack the results of `TargetSession.complete_table`."""
    columns: tuple[tuple[str, str], ...] = ()
    """Source columns of the target table: names and native types; (): not created yet."""
    key: tuple[str, ...] = ()
    place: str = ""
    """Address of the source table (see model.origin); empty: unknown."""
    beside: str = ""
    """Shadow table that is loaded, or was loaded and must be dropped; in the schema of the target table."""
    spelled: tuple[tuple[str, str], ...] = ()
    """Requested column names → their different spelling in an existing target table."""
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
    """Revision of the task's skip counts; the next two fields are the used counts."""
    dml_skipped: int = 0
    ddl_skipped: int = 0
    structures_followed: int = 0
    """Number of applied schema changes since the load; next: of skipped ones."""
    structures_skipped: int = 0
    structure_ms: int | None = None
    """Time of the last of both."""
    moves: int = 0
    """Number of the move to another channel that brought the table here, or took it away."""
    partly: Partly | None = None
    counts: Counts | None = None
    """Its changes on the real topic; None: not counted yet."""

    def partly_behind(self, offset: int) -> Partly | None:
        """Changes in records from `offset` on that are already in the target; None: none."""
        return self.partly if self.partly is not None and self.partly.until > offset else None

    @property
    def since_position(self) -> Position | None:
        return Position.parse(self.since) if self.since else None

    @property
    def until_position(self) -> Position | None:
        return Position.parse(self.until) if self.until else None


@dataclass(frozen=True, slots=True)
class SchemaCheckpoint:
    """Checkpoint of a table's source schema, as of the target's rows.

    Separate, because it is large and rarely changes.
    """

    schema: str
    """JSON of the TableSchema."""


_STRUCTURE = "/structure"
_KEYS = "#"


def structure_name(table: str) -> str:
    """Name of a table's schema checkpoint."""
    return table + _STRUCTURE


def table_of_structure(name: str) -> str:
    """The table of a schema checkpoint's name; empty: not such a name."""
    return name.removesuffix(_STRUCTURE) if name.endswith(_STRUCTURE) else ""


def applier_name(number: int) -> str:
    """Name of a parallel applier's checkpoint, by its number from 0."""
    return f"{_KEYS}{number}"


def number_of_applier(name: str) -> int | None:
    """The number of a parallel applier's checkpoint; None: another checkpoint."""
    return int(name.removeprefix(_KEYS)) if name.startswith(_KEYS) else None


def is_of_table(name: str) -> bool:
    """Whether a checkpoint's name is that of a table."""
    return name != MAIN and number_of_applier(name) is None


def applier_checkpoint(data: str) -> ApplierCheckpoint:
    """From the stored JSON."""
    fields = orjson.loads(data)
    return ApplierCheckpoint(**{**fields, "tables": tuple(fields["tables"])})


def applier_checkpoints(stored: Mapping[str, str]) -> dict[int, ApplierCheckpoint]:
    """Parallel appliers by number. `stored`: checkpoint data by name."""
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
    if fields.get("counts") is not None:
        fields["counts"] = Counts(**fields["counts"])
    fields["stretches"] = tuple((tuple(lower), tuple(upper)) for lower, upper in fields.get("stretches", ()))
    return TableCheckpoint(**{**fields, "phase": Phase(fields["phase"]), "key": tuple(fields["key"])})


def with_amount(checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
    """The checkpoint with a further loaded amount."""
    rows, nbytes = checkpoint.rows_loaded + amount.rows, checkpoint.bytes_loaded + amount.nbytes
    return replace(checkpoint, rows_loaded=rows, bytes_loaded=nbytes)


def with_loaded(
    checkpoint: TableCheckpoint, records: Mapping[int, int], amount: Amount, total: int | None
) -> TableCheckpoint:
    """The checkpoint with further loaded records of the full topic (offset → append time) and their amount."""
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


def counting(checkpoint: TableCheckpoint, offset: int) -> TableCheckpoint:
    """The checkpoint of a table of which changes from that offset on are counted, unless they are already."""
    return checkpoint if checkpoint.counts is not None else replace(checkpoint, counts=Counts(offset))


def checkpoint_apart(checkpoint: TableCheckpoint, main: ChannelCheckpoint) -> TableCheckpoint:
    """The checkpoint of a table that leaves a channel applier at a position."""
    offset = max(checkpoint.offset, main.offset)
    record_time = main.record_time if offset == main.offset else None
    return replace(checkpoint, phase=Phase.APART, offset=offset, record_time=record_time)


def with_parallel_appliers(
    table: str, checkpoint: TableCheckpoint, main: ChannelCheckpoint, keys: Mapping[int, ApplierCheckpoint]
) -> TableCheckpoint:
    """The checkpoint of a member with the changes of parallel appliers ahead of the channel applier."""
    ahead = {number: one for number, one in keys.items() if one.is_ahead_of(main) and table in one.tables}
    if not ahead:
        return checkpoint
    newest = next(iter(ahead.values()))  # All are of one round.
    return replace(checkpoint, partly=Partly(newest.offset, newest.count, tuple(sorted(ahead))))


Written = ChannelCheckpoint | ApplierCheckpoint | TableCheckpoint | SchemaCheckpoint


class CheckpointWriter:
    """Writes checkpoints of a subscription in one session and counts their versions.

    A version counts once it is committed.
    """

    def __init__(self, subscription: str, session: TargetSession, versions: dict[str, int]) -> None:
        self.subscription, self.session = subscription, session
        self.versions = versions
        self._open: dict[str, int] = {}

    def write(self, name: str, data: Written) -> None:
        """Write a checkpoint in the open transaction. Raises Fenced."""
        self.write_all({name: data})

    def write_all(self, written: Mapping[str, Written]) -> None:
        """Write checkpoints in the open transaction, in order. Raises Fenced."""
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
