"""Topic filters: which topics they match, and what their wildcards stand for."""

import zlib
from collections.abc import Iterator

from paho.mqtt.client import topic_matches_sub

LEVEL = "_level"
_MAX_IDENTIFIER = 268_435_455


def matches(topic_filter: str, topic: str) -> bool:
    """Whether a broker delivers messages of the topic to this subscription."""
    found: bool = topic_matches_sub(topic_filter, topic)
    return found


def level_columns(topic_filter: str) -> list[str]:
    """A column for each wildcard, named by its level from 1 on."""
    return [f"{LEVEL}{number}" for number, _ in _wildcards(topic_filter)]


def levels(topic_filter: str, topic: str) -> list[str]:
    """Values of `level_columns` for a topic that matches. `#` stands for all levels from its own on."""
    parts = topic.split("/")
    return ["/".join(parts[at - 1 :]) if sign == "#" else parts[at - 1] for at, sign in _wildcards(topic_filter)]


def subscription_identifier(topic_filter: str) -> int:
    """Number by which the broker marks deliveries, always the same for a filter: a session has deliveries of earlier
    connections. Two filters may share one."""
    return zlib.crc32(topic_filter.encode()) % _MAX_IDENTIFIER + 1


def _wildcards(topic_filter: str) -> Iterator[tuple[int, str]]:
    return ((number, part) for number, part in enumerate(topic_filter.split("/"), 1) if part in ("+", "#"))
