"""A stream query's inputs, positions and result."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from zcbus.bus.contract import Bus
from zcbus.engine.reasons import STATE_TOO_LARGE, TableStopped
from zcbus.engine.stream.database import Database
from zcbus.engine.stream.inputs import InputTable
from zcbus.engine.stream.loading import InputLoad
from zcbus.engine.stream.result import Result, result_schema
from zcbus.engine.stream.state import StreamState, load_state, reset_state
from zcbus.engine.stream.statement import Statement
from zcbus.engine.stream.topic_input import TopicInput
from zcbus.kit.clock import now_ms
from zcbus.model.schema import TableName
from zcbus.protocol.tasks import StreamTask

_MB = 1 << 20


class StreamQuery:
    """One continuous SELECT over its inputs. For one thread."""

    result: Result

    def __init__(self, bus: Bus, database: Database, statement: Statement, task: StreamTask) -> None:
        self._bus, self.database, self._statement, self._task = bus, database, statement, task
        known = load_state(database, task.generation)
        self.state: StreamState = known or reset_state(database, task.generation)
        self._tables: dict[str, InputTable] = {}
        self._topics: list[TopicInput] = []
        self._dirty = True
        self.computed_ms: int | None = None
        self.computed_at: datetime | None = None

    def forget(self) -> None:
        """Start from scratch."""
        self.close()
        self.state = reset_state(self.database, self._task.generation)

    def load(self, should_continue: Callable[[bool], bool]) -> None:
        """Load the inputs that are not loaded yet. See InputLoad."""
        for one in self._task.inputs:
            if one.name not in self.state.inputs:
                InputLoad(self._bus, self.database, self._statement, one).run(self.state, one.key, should_continue)
                self._check_size()

    def open_topics(self) -> None:
        """Open each real topic at its stored offset. Raises Expired, TableStopped."""
        for one in self._task.inputs:
            known = self.state.inputs[one.name]
            self._tables[one.name] = InputTable(self.database, self._statement, one.name, known.table, known.key)
        table = TableName(self._task.table.schema_name, self._task.table.table)
        schema = result_schema(self.database, self._statement, self._task.key, table)
        self.result = Result(self.database, self._statement, schema, self._task.most_rows)
        for node in dict.fromkeys(one.node for one in self._task.inputs):
            inputs = {
                TableName(one.source.schema_name, one.source.table): one
                for one in self._task.inputs
                if one.node == node
            }
            tables = {name: self._tables[one.name] for name, one in inputs.items()}
            generations = {name: one.generation for name, one in inputs.items()}
            self._topics.append(TopicInput(self._bus, node, self.database, self.state, tables, generations))

    def read(self, timeout: float, stopping: Callable[[], bool]) -> int:
        """Apply new changes, node after node; returns the number of records. See TopicInput.turn."""
        count = sum(topic.turn(timeout / len(self._topics), stopping) for topic in self._topics)
        if any(topic.waiting_ms is not None for topic in self._topics):
            self._dirty = True
            self._check_size()
        return count

    @property
    def is_due(self) -> bool:
        """Whether the result may have changed, and can be computed."""
        return self._dirty and all(topic.ready for topic in self._topics)

    def compute(self, stop: threading.Event) -> None:
        """Compute the result. See Result.compute."""
        began = time.monotonic()
        self.result.compute(self.state, stop)
        self.computed_ms = round((time.monotonic() - began) * 1000)
        self.computed_at = datetime.fromtimestamp(now_ms() / 1000, UTC)
        self._dirty = False
        for topic in self._topics:
            topic.computed()

    def next_offsets(self) -> dict[str, int]:
        """Publish node → offset of the first record that the inputs lack."""
        return {node: progress.offset for node, progress in self.state.nodes.items()}

    def input_rows(self) -> dict[str, int]:
        """Number of rows of each input."""
        return {name: table.rows for name, table in self._tables.items()}

    @property
    def newest_ms(self) -> int | None:
        """Commit time of the newest change that was read."""
        return max((topic.newest_ms for topic in self._topics if topic.newest_ms is not None), default=None)

    def lag_ms(self) -> int | None:
        """Age of the oldest change not in the result; None: not known for every node."""
        lags = [topic.lag_ms() for topic in self._topics]
        known = [lag for lag in lags if lag is not None]
        return max(known) if len(known) == len(lags) else None

    def close(self) -> None:
        """Release the topics."""
        for topic in self._topics:
            topic.close()
        self._topics.clear()

    def _check_size(self) -> None:
        size = self.database.size_bytes
        if size > self._task.most_state_mb * _MB:
            raise TableStopped(STATE_TOO_LARGE, mb=size // _MB, limit=self._task.most_state_mb)
