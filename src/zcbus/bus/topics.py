"""Names of the platform's topics."""

import re
from dataclasses import dataclass
from enum import StrEnum

from zcbus.bus.contract import TopicNameInvalid

_NAME = re.compile(r"(?!.{201})[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*")

_EMITTED = "emitted/"


def check_name(topic: str) -> None:
    """Check a topic's name. Raises TopicNameInvalid."""
    if not _NAME.fullmatch(topic) or topic in {".", ".."}:
        raise TopicNameInvalid(topic=topic)


def real_topic(node: str) -> str:
    """Real topic: changes of one publish node, all tables, in commit order."""
    return f"real/{node}"


def full_topic(node: str, table: str, generation: int) -> str:
    """Full topic: snapshot `generation` of a published table (by id)."""
    return f"full/{node}/{table}/{generation}"


def full_topics(node: str) -> str:
    """Prefix of the names of a node's full topics."""
    return f"full/{node}/"


def versions_topic(node: str) -> str:
    """Topic of the schema versions of a node's published tables, with their first positions."""
    return f"versions/{node}"


def structure_topic(node: str) -> str:
    """Topic of the capture history of a publish node; the newest record counts."""
    return f"structure/{node}"


def state_topic(node: str) -> str:
    """Topic of the tables that a publish node captured without a gap; the newest record counts."""
    return f"state/{node}"


def emitted_topic(place: str) -> str:
    """Topic of the state of a target that keeps none: checkpoints, row errors, what is being sent."""
    return f"{_EMITTED}{place}"


def is_emitted_topic(topic: str) -> bool:
    """Whether a topic is one of those."""
    return topic.startswith(_EMITTED)


class TopicRole(StrEnum):
    """What the platform uses a topic for; see the functions above."""

    REAL = "real"
    FULL = "full"
    VERSIONS = "versions"
    STRUCTURE = "structure"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class TopicParts:
    """What a topic's name says."""

    role: TopicRole
    node: str
    table: str = ""
    generation: int = 0


_OF_NODE = re.compile(r"(real|versions|structure|state)/([^/]+)")
_OF_TABLE = re.compile(r"full/([^/]+)/([^/]+)/([0-9]{1,9})")


def parts_of(topic: str) -> TopicParts | None:
    """Inverse of the functions above; None for a topic of another name."""
    if found := _OF_TABLE.fullmatch(topic):
        return TopicParts(TopicRole.FULL, found[1], found[2], int(found[3]))
    found = _OF_NODE.fullmatch(topic)
    return TopicParts(TopicRole(found[1]), found[2]) if found else None
