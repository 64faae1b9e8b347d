"""Load of an input from its full topic, in one transaction."""

from collections.abc import Callable

from zcbus.bus.contract import Bus, OffsetExpired, Record
from zcbus.bus.topics import full_topic, real_topic
from zcbus.engine.reasons import FULL_LOAD_EXPIRED
from zcbus.engine.stream.database import Database, Stopped
from zcbus.engine.stream.inputs import InputTable
from zcbus.engine.stream.state import InputState, StreamState, TopicProgress, new_input
from zcbus.engine.stream.statement import Statement
from zcbus.engine.subscribe.checkpoints.positions import offset_behind
from zcbus.engine.subscribe.failures import Expired
from zcbus.model.changes import SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableSchema
from zcbus.protocol.tasks import StreamQueryInput

_MAX_BYTES = 32 << 20


class InputLoad:
    """Loads one input. Raises Expired if retention removed a part of the topic."""

    def __init__(self, bus: Bus, database: Database, statement: Statement, task: StreamQueryInput) -> None:
        self._bus, self._database, self._statement, self._task = bus, database, statement, task
        self._topic = full_topic(task.node, task.published, task.generation)
        self._table: InputTable | None = None
        self.rows = 0
        """Rows loaded so far."""

    def run(self, state: StreamState, key: tuple[str, ...], should_continue: Callable[[bool], bool]) -> None:
        """Load all rows, and record the input in `state`. `should_continue` is called often, with whether there are
        rows yet. Raises Stopped if it returns False."""
        try:
            with self._database.transaction():
                self._load(state, key, should_continue)
        except OffsetExpired as error:
            raise self._expired() from error

    def _load(self, state: StreamState, key: tuple[str, ...], should_continue: Callable[[bool], bool]) -> None:
        with self._bus.reader(self._topic, 0) as reader:
            while True:
                if not should_continue(self._table is not None):
                    raise Stopped
                for record in reader.read(8, _MAX_BYTES, 0.25):
                    found = self._process(record, key)
                    if found is not None:
                        self._note(found, state)
                        return

    def _process(self, record: Record, key: tuple[str, ...]) -> InputState | None:
        """The state of the input after its last row; None: there are more rows."""
        frame = decode_frame(record.payload)
        assert isinstance(frame, SnapshotOffer | SnapshotRows | SnapshotEnd)
        if isinstance(frame, SnapshotOffer):
            return None
        table = self._table or self._begin(frame.schema, key)
        if isinstance(frame, SnapshotRows):
            table.add(frame.rows)
            self.rows += frame.rows.num_rows
            return None
        offset = offset_behind(self._bus, real_topic(self._task.node), frame.first, table.schema.name)
        return new_input(table.schema, table.key, frame.first, frame.last, offset)

    def _begin(self, schema: TableSchema, key: tuple[str, ...]) -> InputTable:
        self._table = InputTable(self._database, self._statement, self._task.name, schema, schema.key(key))
        self._table.create()
        return self._table

    def _note(self, found: InputState, state: StreamState) -> None:
        state.inputs[self._task.name] = found
        node = state.nodes.get(self._task.node)
        if node is None or found.offset < node.offset:
            state.nodes[self._task.node] = TopicProgress(found.offset)
        state.save(self._database)

    def _expired(self) -> Expired:
        source = self._task.source
        table = f"{source.schema_name}.{source.table}"
        return Expired(FULL_LOAD_EXPIRED, table=table, generation=self._task.generation)
