"""What publish nodes keep on the bus, as their agent measures it."""

from datetime import UTC, datetime, timedelta

from zcbus.control.features.container.requests import ask
from zcbus.control.features.publish.listing import find_node, place_of
from zcbus.control.features.publish.schemas import TopicRecord, TopicRequest
from zcbus.control.features.publish.tables import find_table
from zcbus.control.platform.call import Call
from zcbus.protocol.requests import ListTopics, TopicLine, Topics


def list_topics(call: Call, request: TopicRequest) -> list[TopicRecord]:
    """A node's topics, or those of one table. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, request.node_master)
        if request.table is not None:
            find_table(store, node.id, request.table)
    question = ListTopics(node=node.id, table=request.table or "")
    answer = ask(call.services, place_of(node, call.services.clock.now()), question, Topics)
    retention = timedelta(hours=node.retention_hours)
    return [_record(line, retention) for line in answer.topics]


def _record(line: TopicLine, retention: timedelta) -> TopicRecord:
    oldest = _moment(line.oldest_ms)
    return TopicRecord(
        role=line.role,
        name=line.name,
        generation=line.generation,
        topics=line.topics,
        records=line.records,
        size_bytes=line.size_bytes,
        oldest_at=oldest,
        newest_at=_moment(line.newest_ms),
        expires_at=oldest + retention if oldest is not None else None,
    )


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
