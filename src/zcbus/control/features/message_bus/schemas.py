"""Requests and answers about the message bus."""

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime, Field

from zcbus.bus.topics import TopicRole
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.publish.schemas import RetentionHours
from zcbus.control.platform.paging import ListDefinition, Page, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.states import ServiceState
from zcbus.protocol.bus_inspection import MAX_RECORDS, MAX_ROWS, CellState, RecordKind

TopicAction = Literal["records", "retention", "delete"]
ReaderKind = Literal["channel", "computation", "json", "load"]


class BusRecord(Schema):
    """The bus of a container. `address`: servers and prefix of the cluster; empty: embedded, on the container's host.
    `reachable`: an agent of the container had a recent heartbeat."""

    container_id: str
    container_name: str
    kind: Literal["embedded", "cluster", "unknown"]
    address: str
    hosts: list[str]
    reachable: bool


class BusChoice(Schema):
    container_id: str = Field(min_length=1, max_length=32)


class TopicChoice(BusChoice):
    topic: str = Field(min_length=1, max_length=200)


class BusTopicPageRequest(PageRequest):
    """`search`: a part of the name of a topic, of its publish node or of its table. `role`: only topics of these
    uses. `ownerless`: only topics whose publish node does not exist any more."""

    container_id: str = Field(min_length=1, max_length=32)
    search: str = Field("", max_length=200)
    role: list[TopicRole] = Field(default_factory=list, max_length=5)
    ownerless: bool = False


class BusTopicRecord(Schema):
    """A topic. `role`: none for topics that are not the platform's own. Rates are of the last five minutes.
    `behind_records`, `behind_bytes`: what waits for the slowest reader; none: no reader has a known position.
    `unknown_readers`: readers whose position is not known. `retention_hours`: none where no time limit removes records.
    `current`: whether a full topic is the table's present snapshot."""

    name: str
    role: TopicRole | None
    node_id: str
    node_name: str
    table: str
    generation: int
    current: bool
    partitions: int
    records: int
    first_offset: int
    next_offset: int
    size_bytes: int
    oldest_at: datetime | None
    newest_at: datetime | None
    records_per_second: float | None
    bytes_per_second: float | None
    readers: int
    unknown_readers: int
    behind_records: int | None
    behind_bytes: int | None
    retention_hours: int | None
    actions: list[TopicAction]


class BusTopicPage(Page[BusTopicRecord]):
    """`size_bytes`: of all found topics. The disk's figures are none where the bus does not report them."""

    size_bytes: int
    disk_total_bytes: int | None
    disk_free_bytes: int | None
    measured_at: datetime


class ReaderRecord(Schema):
    """Who reads a topic. `offset`: of the first record that is still needed, as last reported at `as_of`; none: not
    known. Of a load of full data `rows_loaded` counts instead. `expired`: records that it needs are gone. `loading`:
    how many of its tables are still to be loaded."""

    kind: ReaderKind
    id: str
    name: str
    owner: str
    state: ServiceState | None
    offset: int | None
    behind_records: int | None
    behind_bytes: int | None
    expired: bool
    as_of: datetime | None
    tables: int
    loading: int
    rows_loaded: int | None
    rows_total: int | None


class BusTopicDetail(Schema):
    """A topic with its readers. Replicas and disk are none where the bus does not report them."""

    topic: BusTopicRecord
    replicas: int | None
    in_sync: int | None
    disk_bytes: int | None
    readers: list[ReaderRecord]


class BusRecordPageRequest(PageRequest):
    """Records, the newest first. `since`: only those appended then or later. `until`: only those before that offset, so
    that a list stays the same while records arrive. `table`: a part of a table's name. With a filter only the newest
    records are searched, as many as fit into fixed limits."""

    container_id: str = Field(min_length=1, max_length=32)
    topic: str = Field(min_length=1, max_length=200)
    size: int = Field(default=20, ge=1, le=MAX_RECORDS)
    since: AwareDatetime | None = None
    until: int | None = Field(None, ge=0)
    table: str = Field("", max_length=255)
    changes_only: bool = False


class RecordTableLine(Schema):
    name: str
    columns: list[str]
    inserts: int
    updates: int
    deletes: int
    truncates: int
    loaded: int


class BusRecordLine(Schema):
    """A record. `position`: in the words of its source; empty: it has none."""

    offset: int
    time: datetime
    size_bytes: int
    kind: RecordKind
    position: str
    transactions: int
    complete: bool
    tables: list[RecordTableLine]


class BusRecordPage(Page[BusRecordLine]):
    """`searched_from`: older records were not searched."""

    first_offset: int
    next_offset: int
    searched_from: int


class BusRecordChoice(TopicChoice):
    """Rows of one record: of its table with that index."""

    offset: int = Field(ge=0)
    table: int = Field(0, ge=0)
    current: int = Field(default=1, ge=1, le=1_000_000)
    size: int = Field(default=20, ge=1, le=MAX_ROWS)


class CellRecord(Schema):
    """A value. `text`: at most 200 characters of it."""

    state: CellState
    text: str | None
    cut: bool


class RecordColumnRecord(Schema):
    name: str
    type: str
    key: bool


class RecordRowRecord(Schema):
    operation: Literal["insert", "update", "delete", "truncate", "load"]
    committed_at: datetime | None
    cells: list[CellRecord]
    key_before: list[CellRecord]


class BusRecordDetail(Schema):
    """Rows of a record's table. `values_shown`: whether the caller may see values; masked columns stay masked."""

    record: BusRecordLine
    columns: list[RecordColumnRecord]
    rows: list[RecordRowRecord]
    total: int
    values_shown: bool


class RetentionChoice(TopicChoice):
    """Retention of the publish node of a topic, which holds for all its topics with data."""

    retention_hours: RetentionHours


class LosingReader(Schema):
    """A reader that loses records. `records`: at least so many; none: its position is not known."""

    kind: ReaderKind
    name: str
    owner: str
    records: int | None


class RetentionPreview(Schema):
    """What a retention removes at once, or as soon as the node's service runs. Whole segments are removed, so a part of
    it may stay for a while. `expiring`: tables whose full data goes: new full loads of them need a new snapshot."""

    node_name: str
    present_hours: int
    removed_records: int
    removed_bytes: int
    losing: list[LosingReader]
    expiring: list[str]
    expiring_total: int


class DeletionPreview(Schema):
    """What a deletion breaks. `refused`: why it is impossible now; empty: it is possible. `tables`: how many need a new
    full load afterwards."""

    refused: str
    node_name: str
    records: int
    size_bytes: int
    readers: list[ReaderRecord]
    tables: int


class TopicDeletion(DeletionProof):
    """`typed`: the topic's name, as the person typed it."""

    container_id: str = Field(min_length=1, max_length=32)
    topic: str = Field(min_length=1, max_length=200)
    typed: str = Field(max_length=200)


RECORDS = ListDefinition[BusRecordLine](BusRecordLine, sorted_elsewhere=("offset",))
