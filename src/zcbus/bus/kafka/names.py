"""How topics are called on the cluster: a prefix of the installation, then the name in the characters Kafka takes.

Kafka counts `.` and `_` as the same character when it compares names, so `_` is never used.
"""

import re

from zcbus.bus.contract import TopicNameInvalid
from zcbus.bus.topics import check_name

_LONGEST = 249
_FEED = re.compile(r"[a-zA-Z0-9.-]+")
_OUT = {"/": ".", ".": "-d", "_": "-u", "-": "--"}
_IN = {"-d": ".", "-u": "_", "--": "-", ".": "/"}
_ESCAPE = re.compile(r"-.|\.")


def kafka_name(prefix: str, topic: str) -> str:
    """The Kafka topic of a topic. Raises TopicNameInvalid, also where Kafka would find it too long."""
    check_name(topic)
    name = f"{prefix}." + "".join(_OUT.get(character, character) for character in topic)
    if len(name) > _LONGEST:
        raise TopicNameInvalid(topic=topic)
    return name


def feed_name(prefix: str, feed: str) -> str:
    """The Kafka topic of a feed, which is also its group and its transactions' identity. It is none of the topics of
    kafka_name: those begin with the prefix and a point. Raises TopicNameInvalid."""
    name = f"{prefix}-json.{feed}"
    if not _FEED.fullmatch(feed) or len(name) > _LONGEST:
        raise TopicNameInvalid(topic=feed)
    return name


def topic_name(prefix: str, name: str) -> str | None:
    """The topic of a Kafka topic; None where it is none of this installation's."""
    if not name.startswith(f"{prefix}."):
        return None
    topic = _ESCAPE.sub(lambda found: _IN.get(found[0], "?"), name.removeprefix(f"{prefix}."))
    return None if "?" in topic else topic
