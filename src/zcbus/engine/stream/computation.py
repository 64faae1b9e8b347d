"""A computation's inputs, result and places together."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from zcbus.bus.contract import Bus
from zcbus.engine.reasons import STATE_TOO_LARGE, TableStopped
from zcbus.engine.stream.database import Database
from zcbus.engine.stream.feed import NodeFeed
from zcbus.engine.stream.inputs import InputTable
from zcbus.engine.stream.loading import InputLoad
from zcbus.engine.stream.memory import Memory, begin, recall
from zcbus.engine.stream.result import Result, result_schema
from zcbus.engine.stream.statement import Statement
from zcbus.kit.clock import now_ms
from zcbus.model.schema import TableName
from zcbus.protocol.tasks import StreamTask

_MB = 1 << 20


class Computation:
    """What one task holds in its database. Used by one thread."""

    result: Result

    def __init__(self, bus: Bus, database: Database, statement: Statement, task: StreamTask) -> None:
        self._bus, self.database, self._statement, self._task = bus, database, statement, task
        known = recall(database, task.generation)
        self.memory: Memory = known or begin(database, task.generation)
        self._tables: dict[str, InputTable] = {}
        self._feeds: list[NodeFeed] = []
        self._dirty = True
        self.computed_ms: int | None = None
        self.computed_at: datetime | None = None

    def forget(self) -> None:
        """Begin anew, with nothing."""
        self.close()
        self.memory = begin(self.database, self._task.generation)

    def load(self, go_on: Callable[[bool], bool]) -> None:
        """Load the inputs that are not there yet. See InputLoad."""
        for one in self._task.inputs:
            if one.name not in self.memory.inputs:
                InputLoad(self._bus, self.database, self._statement, one).run(self.memory, one.key, go_on)
                self._check_size()

    def open_feeds(self) -> None:
        """Go to where each real topic was left. Raises Expired, TableStopped."""
        for one in self._task.inputs:
            known = self.memory.inputs[one.name]
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
            self._feeds.append(NodeFeed(self._bus, node, self.database, self.memory, tables, generations))

    def read(self, timeout: float, stopping: Callable[[], bool]) -> int:
        """Take in what came, node after node; returns the number of records. See NodeFeed.turn."""
        count = sum(feed.turn(timeout / len(self._feeds), stopping) for feed in self._feeds)
        if any(feed.waiting_ms is not None for feed in self._feeds):
            self._dirty = True
            self._check_size()
        return count

    @property
    def is_due(self) -> bool:
        """Whether the result may be another, and can be computed."""
        return self._dirty and all(feed.ready for feed in self._feeds)

    def compute(self, stop: threading.Event) -> None:
        """Compute the result. See Result.compute."""
        began = time.monotonic()
        self.result.compute(self.memory, stop)
        self.computed_ms = round((time.monotonic() - began) * 1000)
        self.computed_at = datetime.fromtimestamp(now_ms() / 1000, UTC)
        self._dirty = False
        for feed in self._feeds:
            feed.computed()

    def input_rows(self) -> dict[str, int]:
        """How many rows each input has."""
        return {name: table.rows for name, table in self._tables.items()}

    @property
    def newest_ms(self) -> int | None:
        """Commit time of the newest change that was read."""
        return max((feed.newest_ms for feed in self._feeds if feed.newest_ms is not None), default=None)

    def lag_ms(self) -> int | None:
        """Age of the oldest change that is not in the result; None: not known of every node."""
        lags = [feed.lag_ms() for feed in self._feeds]
        known = [lag for lag in lags if lag is not None]
        return max(known) if len(known) == len(lags) else None

    def close(self) -> None:
        """Release the topics."""
        for feed in self._feeds:
            feed.close()
        self._feeds.clear()

    def _check_size(self) -> None:
        size = self.database.size_bytes
        if size > self._task.most_state_mb * _MB:
            raise TableStopped(STATE_TOO_LARGE, mb=size // _MB, limit=self._task.most_state_mb)
