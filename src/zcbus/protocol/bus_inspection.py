"""Requests of operators about the bus, and their answers. Times are in milliseconds since 1970 UTC."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Message

MAX_RECORDS = 1000
"""Per page."""
MAX_ROWS = 200
"""Of one record's changes, per page."""


class ListBusTopics(Message):
    """List the topics of the bus; the control plane pages, sorts and searches them. Answer: BusTopics."""

    type: Literal["list-bus-topics"] = "list-bus-topics"
    nodes: tuple[str, ...] | None = None
    """Only topics of these publish nodes; None: all topics."""


class BusTopicLine(Message):
    name: str
    first_offset: int
    next_offset: int
    size_bytes: int
    oldest_ms: int | None
    newest_ms: int | None


class BusTopics(Message):
    topics: tuple[BusTopicLine, ...]
    disk_total_bytes: int | None = None
    disk_free_bytes: int | None = None
    """Of the file system below the bus; None: unknown to the bus."""


class TopicToMeasure(Message):
    name: str
    readers_at: tuple[int, ...] = ()
    """Where its readers are."""
    moments: tuple[int, ...] = ()


class MeasureTopics(Message):
    """Measure parts of topics from an offset or a moment to the end. Answer: TopicMeasures."""

    type: Literal["measure-topics"] = "measure-topics"
    topics: tuple[TopicToMeasure, ...] = Field(max_length=MAX_RECORDS)
    placed: bool = False
    """Whether to report where the topics are stored, too."""


class PartLine(Message):
    """See zcbus.bus.contract.Extent."""

    offset: int
    records: int
    size_bytes: int


class PlacementLine(Message):
    """See zcbus.bus.contract.Placement."""

    partitions: int
    replicas: int
    in_sync: int
    disk_bytes: int | None


class TopicMeasure(Message):
    """Of an existing topic; parts are in the order of the request."""

    name: str
    behind: tuple[PartLine, ...] = ()
    since: tuple[PartLine, ...] = ()
    placement: PlacementLine | None = None


class TopicMeasures(Message):
    topics: tuple[TopicMeasure, ...]


class ReadRecords(Message):
    """Describe records of a real or full topic, without values. Answer: RecordLines.

    With a filter only the newest of them are searched, as many as fit into fixed limits.
    """

    type: Literal["read-records"] = "read-records"
    topic: str
    since_ms: int | None = None
    """Only records that were appended at that moment or later."""
    until: int | None = None
    """Only records before this offset: a list stays the same while records arrive."""
    table: str = ""
    """Only records with a table whose name contains this, ignoring case."""
    changes_only: bool = False
    """Without heartbeats and the like."""
    newest_first: bool = True
    skip: int = Field(default=0, ge=0)
    limit: int = Field(default=20, ge=1, le=MAX_RECORDS)


RecordKind = Literal["changes", "rows", "end", "offer", "heartbeat", "resumed", "totals", "rollback", "unreadable"]


class RecordTable(Message):
    """A table within a record. Counts are of rows; `loaded`: rows of a full topic."""

    name: str
    columns: tuple[str, ...]
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    truncates: int = 0
    loaded: int = 0


class RecordLine(Message):
    offset: int
    time_ms: int
    size_bytes: int
    kind: RecordKind
    position: str = ""
    """The last position in the source's log, as zcbus.model.position.Position writes it; empty: none."""
    transactions: int = 0
    complete: bool = True
    """False: the transaction continues in a later record."""
    tables: tuple[RecordTable, ...] = ()


class RecordLines(Message):
    records: tuple[RecordLine, ...]
    total: int
    """Records that fit the request."""
    first_offset: int
    next_offset: int
    searched_from: int
    """Older records were not searched; equal to the oldest requested offset where all were."""


class ReadRecord(Message):
    """Read rows of one record. Answer: RecordContent."""

    type: Literal["read-record"] = "read-record"
    topic: str
    offset: int
    table: int = Field(default=0, ge=0)
    """Index of a table within the record."""
    skip: int = Field(default=0, ge=0)
    limit: int = Field(default=20, ge=1, le=MAX_ROWS)
    values: bool = False
    """Whether values are in the answer."""
    masked: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Table → columns whose values are left out in any case; of a table that is not here, all are."""


CellState = Literal["value", "null", "unchanged", "masked", "hidden"]


class Cell(Message):
    """A value of a row. `text`: at most 200 characters; None unless the state is `value`."""

    state: CellState
    text: str | None = None
    cut: bool = False
    """Whether the value is longer."""


class RecordColumn(Message):
    name: str
    type: str
    """Type in the source's spelling."""
    key: bool = False


class RecordRow(Message):
    """A change of a row, or a row of a full topic (`load`)."""

    operation: Literal["insert", "update", "delete", "truncate", "load"]
    committed_ms: int | None = None
    """Commit time in the source."""
    cells: tuple[Cell, ...]
    """After the change, in the order of the columns; of a delete: its key."""
    key_before: tuple[Cell, ...] = ()
    """Of an update: the key columns before it, in their order."""


class RecordContent(Message):
    line: RecordLine
    columns: tuple[RecordColumn, ...] = ()
    rows: tuple[RecordRow, ...] = ()
    total: int = 0
    """Rows of the table within the record."""


class DeleteTopic(Message):
    """Delete a topic that no one writes. Answer: Done.

    Where a real topic goes, the node's tables count as interrupted: they need a snapshot, or an accepted gap.
    """

    type: Literal["delete-topic"] = "delete-topic"
    topic: str


BusInspection = ListBusTopics | MeasureTopics | ReadRecords | ReadRecord | DeleteTopic
