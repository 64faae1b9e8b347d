"""How the platform's topics are called."""

import re

from zcbus.bus.contract import TopicNameInvalid

_NAME = re.compile(r"(?!.{201})[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*")


def check_name(topic: str) -> None:
    """Raises TopicNameInvalid where it is none."""
    if not _NAME.fullmatch(topic) or topic in {".", ".."}:
        raise TopicNameInvalid(topic=topic)


def real_topic(node: str) -> str:
    """Changes of one publish node, all tables, in commit order."""
    return f"real/{node}"


def full_topic(node: str, table: str, generation: int) -> str:
    """Snapshot number `generation` of one published table (by its id)."""
    return f"full/{node}/{table}/{generation}"


def full_topics(node: str) -> str:
    """How the names of a node's full topics begin."""
    return f"full/{node}/"


def versions_topic(node: str) -> str:
    """Every structure that a node's tables had while they were published, with the place where it began."""
    return f"versions/{node}"


def structure_topic(node: str) -> str:
    """What a publish node's source remembers of its tables' structure; the newest record counts."""
    return f"structure/{node}"
