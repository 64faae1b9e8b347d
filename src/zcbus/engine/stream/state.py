"""Stored state of a stream query: positions of its inputs, and the number of its result."""

from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from zcbus.engine.stream.database import Database
from zcbus.kit.ids import new_id
from zcbus.model.position import START, Position
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json


@dataclass(slots=True)
class InputState:
    """State of a completely loaded input."""

    schema: str
    """JSON of its schema when the rows were loaded."""
    key: tuple[str, ...]
    since: str
    """The loaded rows contain the changes up to this position."""
    until: str
    """The rows are consistent once they contain the changes up to this position."""
    offset: int
    """First record of the real topic to apply to the input."""

    @property
    def table(self) -> TableSchema:
        return schema_from_json(self.schema)

    @property
    def since_position(self) -> Position:
        return Position.parse(self.since)


@dataclass(slots=True)
class TopicProgress:
    """Progress of a real topic in the inputs."""

    offset: int = 0
    record_time: int | None = None
    """Append time of the record before the offset: proves that the topic is still the same."""
    position: str = str(START)

    @property
    def reached(self) -> Position:
        return Position.parse(self.position)


@dataclass(slots=True)
class StreamState:
    """The stored document. `identity` identifies these rows, so that a target that follows other rows is detected."""

    generation: int
    identity: str = field(default_factory=new_id)
    inputs: dict[str, InputState] = field(default_factory=dict)
    """Loaded inputs by name."""
    nodes: dict[str, TopicProgress] = field(default_factory=dict)
    number: int = 0
    """Number of the result; 0: nothing was computed yet."""
    changed: tuple[int, int, int] = (0, 0, 0)
    """Inserts, updates and deletes between the previous result and this one."""

    def save(self, database: Database) -> None:
        """Store the state, in the open transaction if there is one."""
        database.execute("UPDATE zcbus.memory SET document = ?", [orjson.dumps(asdict(self)).decode()])


def new_input(schema: TableSchema, key: tuple[str, ...], since: Position, until: Position, offset: int) -> InputState:
    """State of an input that was just loaded."""
    return InputState(schema_to_json(schema), key, str(since), str(until), offset)


def load_state(database: Database, generation: int) -> StreamState | None:
    """The stored state of this generation; None: there is none. Creates the table for it."""
    database.execute("CREATE TABLE IF NOT EXISTS zcbus.memory (document VARCHAR)")
    rows = database.execute("SELECT document FROM zcbus.memory")
    fields: dict[str, Any] = orjson.loads(rows[0][0]) if rows else {}
    if not fields or fields["generation"] != generation:
        return None
    inputs = {name: InputState(**{**one, "key": tuple(one["key"])}) for name, one in fields["inputs"].items()}
    nodes = {name: TopicProgress(**one) for name, one in fields["nodes"].items()}
    return StreamState(**{**fields, "inputs": inputs, "nodes": nodes, "changed": tuple(fields["changed"])})


def reset_state(database: Database, generation: int) -> StreamState:
    """Replace the stored state by an empty one."""
    state = StreamState(generation)
    with database.transaction():
        database.execute("DELETE FROM zcbus.memory")
        database.execute("INSERT INTO zcbus.memory VALUES ('')")
        state.save(database)
    return state
