"""What a computation's own database remembers besides rows: how far its inputs were read, and which result it holds."""

from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from zcbus.engine.stream.database import Database
from zcbus.kit.ids import new_id
from zcbus.model.position import START, Position
from zcbus.model.schema import TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json


@dataclass(slots=True)
class InputMemory:
    """An input whose rows are all there."""

    schema: str
    """JSON of its structure when the rows were loaded."""
    key: tuple[str, ...]
    since: str
    """Changes up to this position are in the loaded rows."""
    until: str
    """The rows are consistent once changes up to here are in them."""
    offset: int
    """Records of the real topic before it are not for it."""

    @property
    def table(self) -> TableSchema:
        return schema_from_json(self.schema)

    @property
    def since_position(self) -> Position:
        return Position.parse(self.since)


@dataclass(slots=True)
class NodeMemory:
    """How far a real topic is in the inputs."""

    offset: int = 0
    record_time: int | None = None
    """Append time of the record before it: proves that it is still the same topic."""
    position: str = str(START)

    @property
    def reached(self) -> Position:
        return Position.parse(self.position)


@dataclass(slots=True)
class Memory:
    """The document. `identity` tells these rows from any others, so that a target that follows others is noticed."""

    generation: int
    identity: str = field(default_factory=new_id)
    inputs: dict[str, InputMemory] = field(default_factory=dict)
    """By name, those that are loaded."""
    nodes: dict[str, NodeMemory] = field(default_factory=dict)
    number: int = 0
    """Of the result; 0: nothing was computed yet."""
    changed: tuple[int, int, int] = (0, 0, 0)
    """Inserts, updates and deletes that lead from the result before to it."""

    def save(self, database: Database) -> None:
        """Within the open transaction, if there is one."""
        database.execute("UPDATE zcbus.memory SET document = ?", [orjson.dumps(asdict(self)).decode()])


def new_input(schema: TableSchema, key: tuple[str, ...], since: Position, until: Position, offset: int) -> InputMemory:
    """Of rows that were just loaded."""
    return InputMemory(schema_to_json(schema), key, str(since), str(until), offset)


def recall(database: Database, generation: int) -> Memory | None:
    """What is remembered of this generation; None: nothing, and there is room for it."""
    database.execute("CREATE TABLE IF NOT EXISTS zcbus.memory (document VARCHAR)")
    rows = database.execute("SELECT document FROM zcbus.memory")
    fields: dict[str, Any] = orjson.loads(rows[0][0]) if rows else {}
    if not fields or fields["generation"] != generation:
        return None
    inputs = {name: InputMemory(**{**one, "key": tuple(one["key"])}) for name, one in fields["inputs"].items()}
    nodes = {name: NodeMemory(**one) for name, one in fields["nodes"].items()}
    return Memory(**{**fields, "inputs": inputs, "nodes": nodes, "changed": tuple(fields["changed"])})


def begin(database: Database, generation: int) -> Memory:
    """Nothing is known any more, whatever there was."""
    memory = Memory(generation)
    with database.transaction():
        database.execute("DELETE FROM zcbus.memory")
        database.execute("INSERT INTO zcbus.memory VALUES ('')")
        memory.save(database)
    return memory
