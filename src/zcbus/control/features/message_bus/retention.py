"""Retention of a publish node's topics."""

from datetime import timedelta

from sqlalchemy import Connection as StoreConnection

from zcbus.bus.topics import TopicRole, parts_of, real_topic
from zcbus.control.features.container import service as containers
from zcbus.control.features.message_bus.buses import OpenBus
from zcbus.control.features.message_bus.readers import Reader
from zcbus.control.features.message_bus.schemas import (
    LosingReader,
    RetentionChoice,
    RetentionPreview,
)
from zcbus.control.features.message_bus.topics import (
    WITH_DATA,
    Topic,
    find_topic,
    joined,
    measure_topic,
    readers_in,
)
from zcbus.control.features.publish import service as publishing
from zcbus.control.features.publish.listing import find_node
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.protocol.bus_inspection import BusTopics, ListBusTopics

_MAX_NAMES = 20


def preview(call: Call, choice: RetentionChoice) -> RetentionPreview:
    """What another retention of a topic's node removes. Asks an agent. Raises RecordNotFoundError."""
    bus, topic = find_topic(call, choice)
    if topic.node is None or topic.role not in WITH_DATA:
        raise RecordNotFoundError(kind="publish-node", id=choice.topic)
    before = call.services.clock.now() - timedelta(hours=choice.retention_hours)
    answer = ask(call.services, bus.destination, ListBusTopics(nodes=(topic.node.id,)), BusTopics)
    topics = {one.name: one for one in joined(call, bus, answer.topics)}
    expiring = sorted(one.table_name or one.name for one in topics.values() if _expires(one, before.timestamp()))
    real = topics.get(real_topic(topic.node.id))
    records, size, losing = _removed(call, bus, real, choice) if real is not None else (0, 0, [])
    return RetentionPreview(
        node_name=topic.node.name,
        present_hours=topic.node.retention_hours,
        removed_records=records,
        removed_bytes=size,
        losing=losing,
        expiring=expiring[:_MAX_NAMES],
        expiring_total=len(expiring),
    )


def _removed(call: Call, bus: OpenBus, real: Topic, choice: RetentionChoice) -> tuple[int, int, list[LosingReader]]:
    """Records and bytes of the real topic beyond the retention, and the readers that still need some of them."""
    before = call.services.clock.now() - timedelta(hours=choice.retention_hours)
    readers = readers_in(call, [real]).get(real.name, ())
    kept = measure_topic(call, bus, real, readers, before).since[-1]
    # The newest record always stays.
    first_kept = min(kept.offset, max(real.line.next_offset - 1, real.line.first_offset))
    removed = max(0, first_kept - real.line.first_offset)
    size = max(0, real.line.size_bytes - kept.size_bytes) if removed else 0
    return removed, size, [lost for lost in (_losing(one, first_kept, removed) for one in readers) if lost is not None]


def _losing(reader: Reader, first_kept: int, removed: int) -> LosingReader | None:
    if not removed or (reader.offset is not None and reader.offset >= first_kept):
        return None
    records = None if reader.offset is None else first_kept - reader.offset
    return LosingReader(kind=reader.kind, name=reader.name, owner=reader.owner, records=records)


def _expires(topic: Topic, before: float) -> bool:
    """Whether it is a present snapshot that loses its beginning."""
    oldest = topic.line.oldest_ms
    return topic.role is TopicRole.FULL and topic.is_current and oldest is not None and oldest < before * 1000


def change(call: Call, store: StoreConnection, choice: RetentionChoice) -> None:
    """Set the retention of a topic's node; its service applies it at once. Raises RecordNotFoundError."""
    parts = parts_of(choice.topic)
    if parts is None or parts.role not in WITH_DATA:
        raise RecordNotFoundError(kind="bus-topic", id=choice.topic)
    node = find_node(store, call.principal, parts.node)
    call.audit.subject = node.name
    call.audit.before, call.audit.after = (
        {"retention_hours": node.retention_hours},
        {"retention_hours": choice.retention_hours},
    )
    publishing.set_retention(store, node.id, choice.retention_hours)
    containers.notify_container(store, node.container_id)
