"""The result in the target. What the target has of it is stored there, in the transaction of the rows."""

from dataclasses import asdict, dataclass, replace

import orjson

from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, TableStopped
from zcbus.engine.stream.memory import Memory
from zcbus.engine.stream.result import Result
from zcbus.engine.subscribe.schema.mapping import columns_of
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode

_CHECKPOINT = ""


@dataclass(frozen=True, slots=True)
class OutputCheckpoint:
    """The target's memory of a computation."""

    generation: int = 0
    identity: str = ""
    """Of the worker's data that the rows follow; see Memory. Empty: of none."""
    number: int = 0
    """Of the result that is in the target."""
    created: bool = False
    """The table was made by us, so it may be made anew for a result of other columns."""
    columns: tuple[tuple[str, str], ...] = ()
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    places: dict[str, int] | None = None
    """How far each node's real topic was in the inputs, for people."""


class Output:
    """Writes results in one session. Each is there once: the checkpoint's number tells which one is, and its version
    fences leftovers of another process out."""

    def __init__(self, session: TargetSession, computation: str, generation: int) -> None:
        """Raises TransientError."""
        self._session, self._computation, self._generation = session, computation, generation
        session.prepare_store()
        found = [checkpoint for checkpoint in session.checkpoints(computation) if checkpoint.name == _CHECKPOINT]
        self._version = found[0].version if found else 0
        self.checkpoint = _checkpoint(found[0].data) if found else OutputCheckpoint()
        session.rollback()

    def has(self, memory: Memory) -> bool:
        """Whether the newest result is in the target."""
        return self._follows(memory) and self.checkpoint.number == memory.number

    def prepare(self, schema: TableSchema) -> None:
        """Make the table ready. Writing the checkpoint at once fences others out. Raises TableStopped, Fenced."""
        table, columns = _table(schema), columns_of(schema)
        existing = self._session.describe([table.name]).get(table.name)
        checkpoint = self.checkpoint
        if checkpoint.generation != self._generation:
            checkpoint = replace(checkpoint, generation=self._generation, identity="", inserts=0, updates=0, deletes=0)
        # The intention is written first: after a crash the table that we made does not count as somebody else's.
        self._keep(replace(checkpoint, created=checkpoint.created or existing is None))
        anew = (
            existing is not None and checkpoint.created and bool(checkpoint.columns) and checkpoint.columns != columns
        )
        missing = [name for name in schema.names if existing is not None and name not in existing.names]
        if missing and not anew:
            raise TableStopped(COLUMN_NOT_IN_TARGET, table=table.name, columns=", ".join(missing))
        if existing is None or anew:
            self._keep(replace(self.checkpoint, identity=""))
            self._session.create_table(table, CleanMode.DROP if anew else CleanMode.NONE)
        self._keep(replace(self.checkpoint, columns=columns))

    def write(self, memory: Memory, result: Result) -> None:
        """Bring the target to the newest result: by the difference where it has the one before, else whole, in one
        transaction. Raises RowRefused, Fenced, TransientError."""
        table = _table(result.schema)
        if self._follows(memory) and self.checkpoint.number == memory.number - 1:
            self._write_difference(table, result)
            inserts, updates, deletes = memory.changed
        else:
            self._session.truncate(table)
            for batch in result.all_rows():
                self._session.load(table, batch)
            inserts, updates, deletes = result.rows, 0, 0
        self._keep(
            replace(
                self.checkpoint,
                identity=memory.identity,
                number=memory.number,
                inserts=self.checkpoint.inserts + inserts,
                updates=self.checkpoint.updates + updates,
                deletes=self.checkpoint.deletes + deletes,
                places={node: place.offset for node, place in memory.nodes.items()},
            )
        )

    def _write_difference(self, table: TargetTable, result: Result) -> None:
        for batch in result.gone():
            self._session.delete(table, batch)
        for batch in result.put():
            self._session.upsert(table, batch)

    def _follows(self, memory: Memory) -> bool:
        return self.checkpoint.identity == memory.identity and self.checkpoint.generation == self._generation

    def _keep(self, checkpoint: OutputCheckpoint) -> None:
        """Store the checkpoint, and commit."""
        data = orjson.dumps(asdict(checkpoint)).decode()
        self._session.write_checkpoints([Checkpoint(self._computation, _CHECKPOINT, self._version + 1, data)])
        self._session.commit()
        self._version, self.checkpoint = self._version + 1, checkpoint


def _checkpoint(data: str) -> OutputCheckpoint:
    fields = orjson.loads(data)
    return OutputCheckpoint(**{**fields, "columns": tuple((name, native) for name, native in fields["columns"])})


def _table(schema: TableSchema) -> TargetTable:
    columns = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in schema.columns)
    return TargetTable(schema.name, columns, schema.primary_key, schema)
