"""Looking into the records of a topic."""

from collections import defaultdict
from datetime import datetime

from sqlalchemy import Connection as StoreConnection

from zcbus.connectors.registry import KINDS
from zcbus.control.features.message_bus import queries
from zcbus.control.features.message_bus.buses import OpenBus
from zcbus.control.features.message_bus.errors import RecordsNotShownError
from zcbus.control.features.message_bus.schemas import (
    RECORDS,
    BusRecordChoice,
    BusRecordDetail,
    BusRecordLine,
    BusRecordPage,
    BusRecordPageRequest,
    CellRecord,
    RecordColumnRecord,
    RecordRowRecord,
    RecordTableLine,
    TopicChoice,
)
from zcbus.control.features.message_bus.topics import WITH_DATA, Topic, find_topic
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.kit.clock import moment
from zcbus.model.position import Position
from zcbus.protocol.bus_inspection import (
    Cell,
    ReadRecord,
    ReadRecords,
    RecordContent,
    RecordLine,
    RecordLines,
    RecordRow,
)

VALUES = "System.BusValues"


def page_records(call: Call, request: BusRecordPageRequest) -> BusRecordPage:
    """A page of a topic's records, without values. Asks an agent. Raises RecordsNotShownError and what `find_topic`
    raises."""
    RECORDS.check(request)
    bus, topic = _find(call, TopicChoice(container_id=request.container_id, topic=request.topic))
    question = ReadRecords(
        topic=topic.name,
        since_ms=int(request.since.timestamp() * 1000) if request.since is not None else None,
        until=request.until,
        table=request.table,
        changes_only=request.changes_only,
        newest_first=request.order != "asc",
        skip=(request.current - 1) * request.size,
        limit=request.size,
    )
    found = ask(call.services, bus.destination, question, RecordLines)
    return BusRecordPage(
        records=[_line(line, topic) for line in found.records],
        total=found.total,
        first_offset=found.first_offset,
        next_offset=found.next_offset,
        searched_from=found.searched_from,
    )


def read_record(call: Call, choice: BusRecordChoice) -> BusRecordDetail:
    """Rows of a record. Masked columns, and all values for a caller who may not see values, stay with the agent."""
    bus, topic = _find(call, choice)
    shown = call.principal.may(VALUES, Operation.VIEW)
    question = ReadRecord(
        topic=topic.name,
        offset=choice.offset,
        table=choice.table,
        skip=(choice.current - 1) * choice.size,
        limit=choice.size,
        values=shown,
        masked=_masked(call, topic),
    )
    call.audit.subject, call.audit.after = topic.name, {"offset": choice.offset, "values": shown}
    found = ask(call.services, bus.destination, question, RecordContent)
    return BusRecordDetail(
        record=_line(found.line, topic),
        columns=[RecordColumnRecord(**column.model_dump()) for column in found.columns],
        rows=[_row(row) for row in found.rows],
        total=found.total,
        values_shown=shown,
    )


def _find(call: Call, choice: TopicChoice) -> tuple[OpenBus, Topic]:
    bus, topic = find_topic(call, choice)
    if topic.role not in WITH_DATA:
        raise RecordsNotShownError(topic=topic.name)
    return bus, topic


def _masked(call: Call, topic: Topic) -> dict[str, tuple[str, ...]]:
    """Columns by table that are masked on the way to any subscriber. Of a node that is gone nothing is known any more:
    then all columns are masked."""
    if topic.node is None:
        return {}
    with call.services.database.read() as store:
        return masked_columns(store, topic.node.id)


def masked_columns(store: StoreConnection, node_id: str) -> dict[str, tuple[str, ...]]:
    """Masked columns of each of a node's tables."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in queries.transforms(store, node_id):
        masks = row.transform.get("masks", ()) if row.transform else ()
        found[f"{row.schema_name}.{row.table_name}"].update(mask["column"] for mask in masks)
    return {table: tuple(sorted(columns)) for table, columns in found.items()}


def _line(line: RecordLine, topic: Topic) -> BusRecordLine:
    return BusRecordLine(
        offset=line.offset,
        time=_moment(line.time_ms),
        size_bytes=line.size_bytes,
        kind=line.kind,
        position=_position(line.position, topic),
        transactions=line.transactions,
        complete=line.complete,
        tables=[RecordTableLine(**{**one.model_dump(), "columns": list(one.columns)}) for one in line.tables],
    )


def _position(position: str, topic: Topic) -> str:
    """In the words of the source; as it is written where the node is gone."""
    if not position or topic.node is None:
        return position
    return KINDS[topic.node.kind].place(Position.parse(position))


def _row(row: RecordRow) -> RecordRowRecord:
    return RecordRowRecord(
        operation=row.operation,
        committed_at=moment(row.committed_ms),
        cells=list(map(_cell, row.cells)),
        key_before=list(map(_cell, row.key_before)),
    )


def _cell(cell: Cell) -> CellRecord:
    return CellRecord(**cell.model_dump())


def _moment(milliseconds: int) -> datetime:
    found = moment(milliseconds)
    assert found is not None
    return found
