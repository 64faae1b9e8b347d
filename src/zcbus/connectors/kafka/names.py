"""Names of topics and transactions."""

import re
from zlib import crc32

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.model.schema import TableName

_STATE = "zcbus.state"
"""In place of a table's name."""
_LONGEST = 249
_ESCAPED = re.compile(r"[^A-Za-z0-9._-]|_(?=u[0-9a-f]{4,6}_)")
"""Characters that topics cannot have, and what would be taken for an escaped one."""
STATE_PARTITIONS = 16
DEFINITIONS = 0
"""Partition of the state topic that only has definitions of tables."""


def topic_of(options: KafkaOptions, table: TableName) -> str:
    """The topic of a table; different names have different topics. Raises TableRefused for one that is too long, or
    that of the state."""
    found = options.topic.replace("{table}", _ESCAPED.sub(lambda one: f"_u{ord(one[0]):04x}_", table.table))
    if len(found) > _LONGEST or table.table == _STATE:
        raise TableRefused(table=str(table), column="", reason="topic-name", detail=found)
    return found


def state_topic(options: KafkaOptions) -> str:
    """The topic of checkpoints, row errors and definitions."""
    return options.topic.replace("{table}", _STATE)


def state_partition(scope: str) -> int:
    """Where the state of a scope is."""
    return 1 + crc32(scope.encode()) % (STATE_PARTITIONS - 1)


def transactional_id(options: KafkaOptions, scope: str) -> str:
    """The name under which the cluster lets one producer write a scope's transactions."""
    return f"{state_topic(options)}.{scope}"
