"""Topics of publish nodes on the bus, as their agent measures them."""

from datetime import timedelta

from zcbus.control.features.publish.listing import destination_of, find_node
from zcbus.control.features.publish.schemas import (
    PublishedTableChoice,
    TopicRecord,
    TopicRequest,
    VersionColumnRecord,
    VersionRecord,
)
from zcbus.control.features.publish.tables import find_table
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.kit.clock import moment
from zcbus.protocol.bus_requests import ListTopics, ListVersions, TopicLine, Topics, VersionLine, Versions


def list_topics(call: Call, request: TopicRequest) -> list[TopicRecord]:
    """A node's topics, or those of one table. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, request.node_master)
        if request.table is not None:
            find_table(store, node.id, request.table)
    question = ListTopics(node=node.id, table=request.table or "")
    answer = ask(call.services, destination_of(node, call.services.clock.now()), question, Topics)
    retention = timedelta(hours=node.retention_hours)
    return [_record(line, retention) for line in answer.topics]


def _record(line: TopicLine, retention: timedelta) -> TopicRecord:
    oldest = moment(line.oldest_ms)
    return TopicRecord(
        role=line.role,
        name=line.name,
        generation=line.generation,
        topics=line.topics,
        records=line.records,
        size_bytes=line.size_bytes,
        oldest_at=oldest,
        newest_at=moment(line.newest_ms),
        expires_at=oldest + retention if oldest is not None else None,
    )


def list_versions(call: Call, request: PublishedTableChoice) -> list[VersionRecord]:
    """Schema versions of a published table. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, request.node_master)
        find_table(store, node.id, request.table)
    question = ListVersions(node=node.id, table=request.table)
    answer = ask(call.services, destination_of(node, call.services.clock.now()), question, Versions)
    return [_version(line) for line in answer.versions]


def _version(line: VersionLine) -> VersionRecord:
    return VersionRecord(
        number=line.number,
        position=line.position,
        since=moment(line.time_ms),
        changes=list(line.changes),
        columns=[VersionColumnRecord(**column.model_dump()) for column in line.columns],
    )
