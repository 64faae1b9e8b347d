"""Topics of the bus for operators: figures, what waits for readers, deletion."""

from zcbus.bus.contract import Bus, Extent, Placement, Retention, TopicInfo
from zcbus.bus.topics import TopicRole, parts_of, structure_topic
from zcbus.engine.capture_history import CaptureHistory
from zcbus.protocol.answers import Done
from zcbus.protocol.bus_inspection import (
    BusTopicLine,
    BusTopics,
    DeleteTopic,
    ListBusTopics,
    MeasureTopics,
    PartLine,
    PlacementLine,
    TopicMeasure,
    TopicMeasures,
    TopicToMeasure,
)


def list_bus_topics(request: ListBusTopics, bus: Bus) -> BusTopics:
    """The requested topics by name, and the room on their disk."""
    nodes = None if request.nodes is None else frozenset(request.nodes)
    names = [name for name in bus.names() if nodes is None or _node_of(name) in nodes]
    disk = bus.disk()
    return BusTopics(
        topics=tuple(map(_line, bus.infos(names).values())),
        disk_total_bytes=disk.total_bytes if disk is not None else None,
        disk_free_bytes=disk.free_bytes if disk is not None else None,
    )


def measure_topics(request: MeasureTopics, bus: Bus) -> TopicMeasures:
    """Measures of the existing ones of the requested topics."""
    found = (_measure(bus, topic, request.placed) for topic in request.topics)
    return TopicMeasures(topics=tuple(measure for measure in found if measure is not None))


def delete_topic(request: DeleteTopic, bus: Bus) -> Done:
    """Delete a topic. Idempotent; every step may be repeated after a crash. Raises TopicBusy."""
    parts = parts_of(request.topic)
    if parts is not None and parts.role is TopicRole.REAL and bus.info(request.topic) is not None:
        # A writer proves that no capture runs, whose own history would replace this one.
        with bus.writer(request.topic, Retention()):
            CaptureHistory(bus, parts.node).abandon(None)
        bus.delete(structure_topic(parts.node))
    bus.delete(request.topic)
    return Done()


def _node_of(topic: str) -> str | None:
    parts = parts_of(topic)
    return parts.node if parts is not None else None


def _line(info: TopicInfo) -> BusTopicLine:
    return BusTopicLine(
        name=info.name,
        first_offset=info.first_offset,
        next_offset=info.next_offset,
        size_bytes=info.size_bytes,
        oldest_ms=info.oldest_time,
        newest_ms=info.newest_time,
    )


def _measure(bus: Bus, topic: TopicToMeasure, placed: bool) -> TopicMeasure | None:
    behind = bus.behind(topic.name, frozenset(topic.readers_at)) if topic.readers_at else {}
    since = [bus.since(topic.name, moment) for moment in topic.moments]
    if len(behind) < len(set(topic.readers_at)) or None in since:
        return None
    placement = bus.placement(topic.name) if placed else None
    return TopicMeasure(
        name=topic.name,
        behind=tuple(_part(behind[offset]) for offset in topic.readers_at),
        since=tuple(_part(one) for one in since if one is not None),
        placement=_placement(placement) if placement is not None else None,
    )


def _part(extent: Extent) -> PartLine:
    return PartLine(offset=extent.offset, records=extent.records, size_bytes=extent.size_bytes)


def _placement(placement: Placement) -> PlacementLine:
    return PlacementLine(
        partitions=placement.partitions,
        replicas=placement.replicas,
        in_sync=placement.in_sync,
        disk_bytes=placement.disk_bytes,
    )
