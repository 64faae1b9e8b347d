"""Topics of a bus as its agent measures them, joined with what the platform knows of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from zcbus.bus.topics import TopicParts, TopicRole, is_emitted_topic, parts_of
from zcbus.control.features.message_bus import queries
from zcbus.control.features.message_bus.buses import OpenBus, open_bus
from zcbus.control.features.message_bus.errors import TopicGoneError
from zcbus.control.features.message_bus.readers import Reader, readers_of, record_of
from zcbus.control.features.message_bus.schemas import (
    BusTopicDetail,
    BusTopicPage,
    BusTopicPageRequest,
    BusTopicRecord,
    TopicAction,
    TopicChoice,
)
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import ListDefinition, in_order, part_of
from zcbus.kit.clock import moment
from zcbus.protocol.bus_inspection import (
    BusTopicLine,
    BusTopics,
    ListBusTopics,
    MeasureTopics,
    PartLine,
    TopicMeasure,
    TopicMeasures,
    TopicToMeasure,
)

RATE_WINDOW = timedelta(minutes=5)
WITH_DATA = frozenset({TopicRole.REAL, TopicRole.FULL})
"""Topics whose records are rows and changes, and that the node's retention limits."""
_MEASURED_TOGETHER = 200


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that the caller may see. `node`: its publish node's row; None: there is none any more."""

    line: BusTopicLine
    parts: TopicParts | None
    node: Row[Any] | None
    table: Row[Any] | None

    @property
    def name(self) -> str:
        return self.line.name

    @property
    def role(self) -> TopicRole | None:
        return self.parts.role if self.parts is not None else None

    @property
    def node_name(self) -> str:
        return str(self.node.name) if self.node is not None else ""

    @property
    def table_name(self) -> str:
        return f"{self.table.schema_name}.{self.table.table_name}" if self.table is not None else ""

    @property
    def records(self) -> int:
        return self.line.next_offset - self.line.first_offset

    @property
    def is_current(self) -> bool:
        """Whether it is a table's present snapshot."""
        return self.parts is not None and self.table is not None and self.table.generation == self.parts.generation


TOPICS = ListDefinition[Topic](
    BusTopicRecord,
    sort_keys={
        "name": lambda topic: topic.name,
        "role": lambda topic: topic.role or "",
        "nodeName": lambda topic: topic.node_name.casefold(),
        "table": lambda topic: topic.table_name.casefold(),
        "records": lambda topic: topic.records,
        "sizeBytes": lambda topic: topic.line.size_bytes,
        "oldestAt": lambda topic: topic.line.oldest_ms or 0,
        "newestAt": lambda topic: topic.line.newest_ms or 0,
    },
)


def page_topics(call: Call, request: BusTopicPageRequest) -> BusTopicPage:
    """A page of a bus's topics, by name. Asks an agent: not to be called inside a transaction."""
    bus = open_bus(call, request.container_id)
    TOPICS.check(request)
    answer = ask(call.services, bus.destination, ListBusTopics(nodes=_nodes_asked(call, bus)), BusTopics)
    found = [topic for topic in joined(call, bus, answer.topics) if _fits(topic, request)]
    ordered = in_order(found, request, TOPICS)
    return BusTopicPage(
        records=_measured(call, bus, part_of(ordered, request)),
        total=len(ordered),
        size_bytes=sum(topic.line.size_bytes for topic in found),
        disk_total_bytes=answer.disk_total_bytes,
        disk_free_bytes=answer.disk_free_bytes,
        measured_at=call.services.clock.now(),
    )


def topic_detail(call: Call, choice: TopicChoice) -> BusTopicDetail:
    """A topic with all its readers. Asks an agent. Raises RecordNotFoundError, TopicGoneError."""
    bus, topic = find_topic(call, choice)
    readers = readers_in(call, [topic]).get(topic.name, ())
    measure = measure_topic(call, bus, topic, readers)
    placement = measure.placement
    parts = _parts(readers, measure)
    return BusTopicDetail(
        topic=_record(topic, readers, measure),
        replicas=placement.replicas if placement is not None else None,
        in_sync=placement.in_sync if placement is not None else None,
        disk_bytes=placement.disk_bytes if placement is not None else None,
        readers=[record_of(reader, topic.line, part) for reader, part in zip(readers, parts, strict=True)],
    )


def find_topic(call: Call, choice: TopicChoice) -> tuple[OpenBus, Topic]:
    """A topic that the caller may see. Asks an agent. Raises RecordNotFoundError, also of a foreign tenant's topic."""
    bus = open_bus(call, choice.container_id)
    parts = parts_of(choice.topic)
    if not call.principal.spans_tenants and (parts is None or parts.node not in bus.nodes):
        raise RecordNotFoundError(kind="bus-topic", id=choice.topic)
    question = ListBusTopics(nodes=(parts.node,) if parts is not None else None)
    answer = ask(call.services, bus.destination, question, BusTopics)
    lines = [line for line in answer.topics if line.name == choice.topic]
    if not lines:
        raise RecordNotFoundError(kind="bus-topic", id=choice.topic)
    return bus, joined(call, bus, lines)[0]


def measure_topic(
    call: Call, bus: OpenBus, topic: Topic, readers: Sequence[Reader], *moments: datetime
) -> TopicMeasure:
    """What waits for readers, what came lately, and what came since further moments. Raises TopicGoneError."""
    begin = call.services.clock.now() - RATE_WINDOW
    question = _question(topic, readers, begin, *moments)
    answer = ask(call.services, bus.destination, MeasureTopics(topics=(question,), placed=True), TopicMeasures)
    if not answer.topics:
        raise TopicGoneError(topic=topic.name)
    return answer.topics[0]


def readers_in(call: Call, topics: Iterable[Topic]) -> Mapping[str, Sequence[Reader]]:
    """Readers by topic."""
    with call.services.database.read() as store:
        return readers_of(store, [topic.name for topic in topics])


def joined(call: Call, bus: OpenBus, lines: Sequence[BusTopicLine]) -> list[Topic]:
    """Topics with their nodes and tables. A topic of a node that the caller may not see is left out."""
    parts = {line.name: parts_of(line.name) for line in lines}
    full_nodes = {one.node for one in parts.values() if one is not None and one.role is TopicRole.FULL}
    with call.services.database.read() as store:
        tables = {row.id: row for row in queries.published_tables(store, full_nodes & bus.nodes.keys())}
    found = []
    for line in lines:
        one = parts[line.name]
        node = bus.nodes.get(one.node) if one is not None else None
        if node is not None or call.principal.spans_tenants:
            found.append(Topic(line, one, node, tables.get(one.table) if one is not None else None))
    return found


def actions_of(topic: Topic) -> list[TopicAction]:
    """What can be done with a topic, by its use."""
    actions: list[TopicAction] = []
    if topic.role in WITH_DATA:
        actions.append("records")
        if topic.node is not None:
            actions.append("retention")
    if (topic.node is None and not is_emitted_topic(topic.name)) or topic.role in WITH_DATA:
        actions.append("delete")
    return actions


def _nodes_asked(call: Call, bus: OpenBus) -> tuple[str, ...] | None:
    return None if call.principal.spans_tenants else tuple(bus.nodes)


def _fits(topic: Topic, request: BusTopicPageRequest) -> bool:
    if request.role and topic.role not in request.role:
        return False
    if request.ownerless and topic.node is not None:
        return False
    text = request.search.casefold()
    return any(text in name.casefold() for name in (topic.name, topic.node_name, topic.table_name))


def _measured(call: Call, bus: OpenBus, topics: Sequence[Topic]) -> list[BusTopicRecord]:
    """Topics with what is measured of each. One that is deleted meanwhile has no measures."""
    readers = readers_in(call, topics)
    begin = call.services.clock.now() - RATE_WINDOW
    asked = [topic for topic in topics if _is_measured(topic, readers.get(topic.name, ()), begin)]
    found: dict[str, TopicMeasure] = {}
    for number in range(0, len(asked), _MEASURED_TOGETHER):
        some = asked[number : number + _MEASURED_TOGETHER]
        questions = tuple(_question(topic, readers.get(topic.name, ()), begin) for topic in some)
        answer = ask(call.services, bus.destination, MeasureTopics(topics=questions), TopicMeasures)
        found |= {measure.name: measure for measure in answer.topics}
    return [_record(topic, readers.get(topic.name, ()), found.get(topic.name)) for topic in topics]


def _is_measured(topic: Topic, readers: Sequence[Reader], begin: datetime) -> bool:
    """Whether there is anything to measure: a topic at rest without readers has no rate, and nothing waits."""
    newest = moment(topic.line.newest_ms)
    return any(reader.offset is not None for reader in readers) or (newest is not None and newest >= begin)


def _question(topic: Topic, readers: Sequence[Reader], *moments: datetime) -> TopicToMeasure:
    offsets = tuple(reader.offset for reader in readers if reader.offset is not None)
    return TopicToMeasure(
        name=topic.name, readers_at=offsets, moments=tuple(int(one.timestamp() * 1000) for one in moments)
    )


def _parts(readers: Sequence[Reader], measure: TopicMeasure | None) -> list[PartLine | None]:
    """What waits for each reader."""
    measured = iter(measure.behind if measure is not None else ())
    return [next(measured, None) if reader.offset is not None else None for reader in readers]


def _record(topic: Topic, readers: Sequence[Reader], measure: TopicMeasure | None) -> BusTopicRecord:
    line = topic.line
    behind = measure.behind if measure is not None else ()
    seconds = RATE_WINDOW.total_seconds()
    recent = measure.since[0] if measure is not None else PartLine(offset=line.next_offset, records=0, size_bytes=0)
    return BusTopicRecord(
        name=topic.name,
        role=topic.role,
        node_id=topic.parts.node if topic.parts is not None else "",
        node_name=topic.node_name,
        table=topic.table_name,
        generation=topic.parts.generation if topic.parts is not None else 0,
        current=topic.is_current,
        partitions=measure.placement.partitions if measure is not None and measure.placement is not None else 1,
        records=topic.records,
        first_offset=line.first_offset,
        next_offset=line.next_offset,
        size_bytes=line.size_bytes,
        oldest_at=moment(line.oldest_ms),
        newest_at=moment(line.newest_ms),
        records_per_second=recent.records / seconds,
        bytes_per_second=recent.size_bytes / seconds,
        readers=len(readers),
        unknown_readers=sum(
            reader.counts_records and part is None
            for reader, part in zip(readers, _parts(readers, measure), strict=True)
        ),
        behind_records=max((part.records for part in behind), default=None),
        behind_bytes=max((part.size_bytes for part in behind), default=None),
        retention_hours=topic.node.retention_hours if topic.node is not None and topic.role in WITH_DATA else None,
        actions=actions_of(topic),
    )
