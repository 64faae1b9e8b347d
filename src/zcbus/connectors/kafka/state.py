"""Records of the state topic.

| key                                | value                                    |
|------------------------------------|------------------------------------------|
| `["checkpoint", SCOPE, NAME]`      | version and data                         |
| `["error", SCOPE, ID]`             | a row error                              |
| `["hold", SCOPE]`                  | who alone may write the scope, until when |
| `["table", NAME]`                  | definition of a table, its topic's id and count of partitions |

A scope is a subscription. The topic is compacted: the last record of a key counts, null deletes it.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from zcbus.connectors.consuming.consumer import Topic
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json


class Record(NamedTuple):
    """A message of a scope's state."""

    scope: str
    key: bytes
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Hold:
    """Who alone writes a scope, and until when (milliseconds since 1970)."""

    token: str
    until: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A table that the platform writes."""

    schema: TableSchema
    topic_id: str
    partitions: int

    def is_of(self, topic: Topic) -> bool:
        """Whether it is the topic that was written, not one of the same name."""
        return topic.identity == self.topic_id


@dataclass(slots=True)
class ScopeState:
    """The state of one scope, as records in their order left it."""

    scope: str
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    errors: dict[str, RowError] = field(default_factory=dict)
    hold: Hold | None = None

    def apply(self, key: bytes, text: bytes | None) -> None:
        """Apply a record. Those of other scopes are passed over."""
        kind, scope, *rest = orjson.loads(key)
        if scope != self.scope:
            return
        value: Any = orjson.loads(text) if text else None
        if kind == "hold":
            self.hold = Hold(value["token"], value["until"]) if value else None
            return
        (name,) = rest
        if kind == "checkpoint":
            _set(self.checkpoints, name, value and Checkpoint(scope, name, value["version"], value["data"]))
        elif kind == "error":
            _set(self.errors, name, text and row_error_from_json(text))


def checkpoint_record(one: Checkpoint) -> Record:
    value = orjson.dumps({"version": one.version, "data": one.data})
    return _record("checkpoint", one.subscription, one.name, value=value)


def no_checkpoint(scope: str, name: str) -> Record:
    return _record("checkpoint", scope, name, value=None)


def error_record(change: RowErrorChange) -> Record:
    value = None if change.error is None else row_error_to_json(change.error)
    return _record("error", change.subscription, change.id, value=value)


def hold_record(scope: str, hold: Hold | None) -> Record:
    value = None if hold is None else orjson.dumps({"token": hold.token, "until": hold.until})
    return _record("hold", scope, value=value)


def definition_record(name: TableName, definition: Definition | None) -> tuple[bytes, bytes | None]:
    """Key and value. Definitions belong to no scope."""
    value = None
    if definition is not None:
        schema = schema_to_json(definition.schema)
        value = orjson.dumps({"schema": schema, "topic": definition.topic_id, "partitions": definition.partitions})
    return orjson.dumps(["table", name.table]), value


def definition_of(value: bytes | None) -> Definition | None:
    """Inverse of `definition_record`."""
    if not value:
        return None
    found = orjson.loads(value)
    return Definition(schema_from_json(found["schema"]), found["topic"], found["partitions"])


def _record(kind: str, scope: str, *name: str, value: bytes | None) -> Record:
    return Record(scope, orjson.dumps([kind, scope, *name]), value)


def _set(kept: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        kept.pop(name, None)
    else:
        kept[name] = value
