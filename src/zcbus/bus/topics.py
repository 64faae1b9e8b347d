"""Names of the platform's topics."""

import re

from zcbus.bus.contract import TopicNameInvalid

_NAME = re.compile(r"(?!.{201})[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*")


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
