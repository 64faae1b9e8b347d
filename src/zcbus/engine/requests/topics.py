"""Size of a publish node's topics on the bus."""

from collections.abc import Sequence
from pathlib import Path

from zcbus.bus.contract import Bus, TopicInfo
from zcbus.bus.open import open_bus
from zcbus.bus.topics import full_topic, full_topics, real_topic
from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.bus_requests import ListTopics, TopicLine, Topics


def list_topics(request: ListTopics, data_dir: Path, bus_settings: BusSettings) -> Topics:
    """The node's real topic and its full topics in sum, or the full topics of one table. Missing topics are left
    out."""
    bus = open_bus(bus_settings, data_dir)
    try:
        lines = _of_table(bus, request) if request.table else _of_node(bus, request.node)
    finally:
        bus.close()
    return Topics(topics=tuple(lines))


def _of_node(bus: Bus, node: str) -> list[TopicLine]:
    real, prefix = bus.info(real_topic(node)), full_topics(node)
    full = bus.topics(prefix)
    lines = [_line("real", real.name, [real])] if real is not None else []
    return [*lines, _line("full", prefix, full)] if full else lines


def _of_table(bus: Bus, request: ListTopics) -> list[TopicLine]:
    prefix = full_topic(request.node, request.table, 0).removesuffix("0")
    found = [(info.name.removeprefix(prefix), info) for info in bus.topics(prefix)]
    return [_line("full", info.name, [info], int(number)) for number, info in found if number.isdigit()]


def _line(role: str, name: str, infos: Sequence[TopicInfo], generation: int | None = None) -> TopicLine:
    oldest = [info.oldest_time for info in infos if info.oldest_time is not None]
    newest = [info.newest_time for info in infos if info.newest_time is not None]
    return TopicLine(
        role="real" if role == "real" else "full",
        name=name,
        generation=generation,
        topics=len(infos),
        records=sum(info.next_offset - info.first_offset for info in infos),
        size_bytes=sum(info.size_bytes for info in infos),
        oldest_ms=min(oldest, default=None),
        newest_ms=max(newest, default=None),
    )
