"""Names of topics on the cluster: the installation's prefix, and the name in Kafka's characters.

Kafka treats `.` and `_` as equal when it compares names, so `_` is never used.
"""

import re

from zcbus.bus.contract import TopicNameInvalid
from zcbus.bus.topics import check_name

_LONGEST = 249
_EXPORT = re.compile(r"[a-zA-Z0-9.-]+")
_OUT = {"/": ".", ".": "-d", "_": "-u", "-": "--"}
_IN = {"-d": ".", "-u": "_", "--": "-", ".": "/"}
_ESCAPE = re.compile(r"-.|\.")


def kafka_name(prefix: str, topic: str) -> str:
    """The Kafka name of a topic. Raises TopicNameInvalid, also if Kafka's limit is exceeded."""
    check_name(topic)
    name = f"{prefix}." + "".join(_OUT.get(character, character) for character in topic)
    if len(name) > _LONGEST:
        raise TopicNameInvalid(topic=topic)
    return name


def export_name(prefix: str, export: str) -> str:
    """The Kafka name of an export, also that of its group and transactions. Raises TopicNameInvalid.

    It never equals a name of kafka_name: those begin with the prefix and a point.
    """
    name = f"{prefix}-json.{export}"
    if not _EXPORT.fullmatch(export) or len(name) > _LONGEST:
        raise TopicNameInvalid(topic=export)
    return name


def topic_name(prefix: str, name: str) -> str | None:
    """The topic of a Kafka name; None if it belongs to another installation."""
    if not name.startswith(f"{prefix}."):
        return None
    topic = _ESCAPE.sub(lambda found: _IN.get(found[0], "?"), name.removeprefix(f"{prefix}."))
    return None if "?" in topic else topic
