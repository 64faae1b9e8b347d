"""The result in the target. What the target has of it is stored there, in the transaction of the rows."""

from dataclasses import asdict, dataclass, replace

import orjson

from zcbus.connectors.roles import Lane, MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, TableStopped
from zcbus.engine.stream.memory import Memory
from zcbus.engine.stream.result import Result
from zcbus.engine.subscribe.schema.mapping import columns_of
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode

_LANE = ""


@dataclass(frozen=True, slots=True)
class OutputLane:
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
    """Writes results in one session. Each is there once: the lane's number tells which one is, and its version fences
    leftovers of another process out."""

    def __init__(self, session: TargetSession, computation: str, generation: int) -> None:
        """Raises TransientError."""
        self._session, self._computation, self._generation = session, computation, generation
        session.prepare_store()
        found = [lane for lane in session.lanes(computation) if lane.lane == _LANE]
        self._version = found[0].version if found else 0
        self.lane = _lane(found[0].data) if found else OutputLane()
        session.rollback()

    def has(self, memory: Memory) -> bool:
        """Whether the newest result is in the target."""
        return self._follows(memory) and self.lane.number == memory.number

    def prepare(self, schema: TableSchema) -> None:
        """Make the table ready. Writing the lane at once fences others out. Raises TableStopped, Fenced."""
        table, columns = _table(schema), columns_of(schema)
        existing = self._session.describe([table.name]).get(table.name)
        lane = self.lane
        if lane.generation != self._generation:
            lane = replace(lane, generation=self._generation, identity="", inserts=0, updates=0, deletes=0)
        # The intention is written first: after a crash the table that we made does not count as somebody else's.
        self._keep(replace(lane, created=lane.created or existing is None))
        anew = existing is not None and lane.created and bool(lane.columns) and lane.columns != columns
        missing = [name for name in schema.names if existing is not None and name not in existing.names]
        if missing and not anew:
            raise TableStopped(COLUMN_NOT_IN_TARGET, table=table.name, columns=", ".join(missing))
        if existing is None or anew:
            self._keep(replace(self.lane, identity=""))
            self._session.create_table(table, CleanMode.DROP if anew else CleanMode.NONE)
        self._keep(replace(self.lane, columns=columns))

    def write(self, memory: Memory, result: Result) -> None:
        """Bring the target to the newest result: by the difference where it has the one before, else whole, in one
        transaction. Raises RowRefused, Fenced, TransientError."""
        table = _table(result.schema)
        if self._follows(memory) and self.lane.number == memory.number - 1:
            self._write_difference(table, result)
            inserts, updates, deletes = memory.changed
        else:
            self._session.truncate(table)
            for batch in result.all_rows():
                self._session.load(table, batch)
            inserts, updates, deletes = result.rows, 0, 0
        self._keep(
            replace(
                self.lane,
                identity=memory.identity,
                number=memory.number,
                inserts=self.lane.inserts + inserts,
                updates=self.lane.updates + updates,
                deletes=self.lane.deletes + deletes,
                places={node: place.offset for node, place in memory.nodes.items()},
            )
        )

    def _write_difference(self, table: TargetTable, result: Result) -> None:
        for batch in result.gone():
            self._session.delete(table, batch)
        for batch in result.put():
            self._session.upsert(table, batch)

    def _follows(self, memory: Memory) -> bool:
        return self.lane.identity == memory.identity and self.lane.generation == self._generation

    def _keep(self, lane: OutputLane) -> None:
        """Store the lane, and commit."""
        data = orjson.dumps(asdict(lane)).decode()
        self._session.write_lane(Lane(self._computation, _LANE, self._version + 1, data))
        self._session.commit()
        self._version, self.lane = self._version + 1, lane


def _lane(data: str) -> OutputLane:
    fields = orjson.loads(data)
    return OutputLane(**{**fields, "columns": tuple((name, native) for name, native in fields["columns"])})


def _table(schema: TableSchema) -> TargetTable:
    columns = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in schema.columns)
    return TargetTable(schema.name, columns, schema.primary_key, schema)
