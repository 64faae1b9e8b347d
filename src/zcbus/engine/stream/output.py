"""Output of a stream query: its result in the target, with a checkpoint in the transaction of the rows."""

from dataclasses import asdict, dataclass, replace

import orjson

from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, TableStopped
from zcbus.engine.stream.result import Result
from zcbus.engine.stream.state import StreamState
from zcbus.engine.subscribe.schema.mapping import columns_of
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode

_CHECKPOINT = ""


@dataclass(frozen=True, slots=True)
class OutputCheckpoint:
    """Checkpoint of a stream query in the target."""

    generation: int = 0
    identity: str = ""
    """Identity of the worker's rows that the target follows; see StreamState. Empty: none."""
    number: int = 0
    """Number of the result in the target."""
    created: bool = False
    """The service created the table, so it may recreate it for a result with other columns."""
    columns: tuple[tuple[str, str], ...] = ()
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    places: dict[str, int] | None = None
    """Offset of each node's real topic in the inputs, for operators."""


class Output:
    """Writes results in one session, each exactly once: the checkpoint has the result's number, and its version fences
    out leftover processes."""

    def __init__(self, session: TargetSession, computation: str, generation: int) -> None:
        """Raises TransientError."""
        self._session, self._computation, self._generation = session, computation, generation
        session.prepare_store()
        found = [checkpoint for checkpoint in session.checkpoints(computation) if checkpoint.name == _CHECKPOINT]
        self._version = found[0].version if found else 0
        self.checkpoint = _checkpoint(found[0].data) if found else OutputCheckpoint()
        session.rollback()

    def has(self, state: StreamState) -> bool:
        """Whether the newest result is in the target."""
        return self._follows(state) and self.checkpoint.number == state.number

    def prepare(self, schema: TableSchema) -> None:
        """Prepare the table. Writes the checkpoint first, which fences out others. Raises TableStopped, Fenced."""
        table, columns = _table(schema), columns_of(schema)
        existing = self._session.describe([table.name]).get(table.name)
        checkpoint = self.checkpoint
        if checkpoint.generation != self._generation:
            checkpoint = replace(checkpoint, generation=self._generation, identity="", inserts=0, updates=0, deletes=0)
        # The intention is stored first: after a crash our own table must not count as a foreign one.
        self._keep(replace(checkpoint, created=checkpoint.created or existing is None))
        recreate = (
            existing is not None and checkpoint.created and bool(checkpoint.columns) and checkpoint.columns != columns
        )
        missing = [name for name in schema.names if existing is not None and name not in existing.names]
        if missing and not recreate:
            raise TableStopped(COLUMN_NOT_IN_TARGET, table=table.name, columns=", ".join(missing))
        if existing is None or recreate:
            self._keep(replace(self.checkpoint, identity=""))
            self._session.create_table(table, CleanMode.DROP if recreate else CleanMode.NONE)
        self._keep(replace(self.checkpoint, columns=columns))

    def write(self, state: StreamState, result: Result) -> None:
        """Write the newest result in one transaction: its difference if the target has the previous one, else all rows.
        Raises RowRefused, Fenced, TransientError."""
        table = _table(result.schema)
        if self._follows(state) and self.checkpoint.number == state.number - 1:
            self._write_difference(table, result)
            inserts, updates, deletes = state.changed
        else:
            self._session.truncate(table)
            for batch in result.all_rows():
                self._session.load(table, batch)
            inserts, updates, deletes = result.rows, 0, 0
        self._keep(
            replace(
                self.checkpoint,
                identity=state.identity,
                number=state.number,
                inserts=self.checkpoint.inserts + inserts,
                updates=self.checkpoint.updates + updates,
                deletes=self.checkpoint.deletes + deletes,
                places={node: progress.offset for node, progress in state.nodes.items()},
            )
        )

    def _write_difference(self, table: TargetTable, result: Result) -> None:
        for batch in result.deleted_keys():
            self._session.delete(table, batch)
        for batch in result.upserted_rows():
            self._session.upsert(table, batch)

    def _follows(self, state: StreamState) -> bool:
        return self.checkpoint.identity == state.identity and self.checkpoint.generation == self._generation

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
