"""State in a database, in tables of its own.

| table          | row                                                                                             |
|----------------|-------------------------------------------------------------------------------------------------|
| `zcbus_state`  | a commit: its number, the one it follows, and a document with checkpoints, holds, parts |
| `zcbus_parts`  | a part of a transaction, in a partition of its own for each transaction                         |
| `zcbus_load_…` | rows of a large part (staging.py), until they are in their table                                |
| `zcbus_done`   | the number of a commit whose parts are carried out                                              |
| `zcbus_errors` | a row error                                                                                     |

A commit is an insert with a token that names the commit before: of several with one token the server takes the first
(`non_replicated_deduplication_window`). It forgets old tokens, so a commit counts only near the greatest number.
Numbers of commits and of parts begin at the clock in microseconds: what was written before the state was deleted has
smaller ones.
"""

import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.clickhouse.connection import UNKNOWN_TABLE, ClickHouseConnection, Refusal, text
from zcbus.connectors.clickhouse.parts import GONE, VERSION, Part
from zcbus.connectors.clickhouse.staging import Staging
from zcbus.connectors.clickhouse.stored_parts import StoredParts, drop_partition
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_text
from zcbus.kit.clock import now_us
from zcbus.model.row_errors import RowError

DURABLE = "fsync_after_insert = 1, fsync_part_directory = 1"
"""Setting of each table: what was answered is on the disk."""
ERRORS = "zcbus_errors"
_WINDOW = 1000
_KEPT = 100
"""Commits that stay in the table."""
_TIDY_EVERY = 200
_TABLES = (
    "zcbus_state (number UInt64, after UInt64, id String, head String) ENGINE = MergeTree ORDER BY number "
    f"SETTINGS index_granularity = 1, non_replicated_deduplication_window = {_WINDOW}, {DURABLE}",
    "zcbus_parts (transaction String, number UInt32, name String, data String, made UInt64) ENGINE = MergeTree "
    f"PARTITION BY transaction ORDER BY number SETTINGS index_granularity = 1, {DURABLE}",
    f"zcbus_done (number UInt64) ENGINE = MergeTree ORDER BY number SETTINGS {DURABLE}",
    f"{ERRORS} (subscription String, id String, data String, {VERSION} UInt64, {GONE} UInt8) "
    f"ENGINE = ReplacingMergeTree({VERSION}, {GONE}) ORDER BY (subscription, id) SETTINGS {DURABLE}",
)
OWN = tuple(one.split(" ", 1)[0] for one in _TABLES)
_ORPHAN_SECONDS = 86_400


class StateTables:
    """As one session sees them; see StateStore."""

    def __init__(self, connection: ClickHouseConnection) -> None:
        self._connection = connection
        self._staging = Staging(connection)
        self._id = ""
        self._transaction = ""
        """Partition of the parts of the transaction that was read or written last; empty: they are in the commit."""
        self._inline: list[Part] = []
        self._own: dict[int, Part] = {}
        """Parts of the transaction that was written last, by place, where they are few: they need not be read."""
        self._own_transaction = ""
        self.count = 0
        """Of its parts."""
        self.done = 0
        """Number of the last commit that was found carried out."""
        self._commits = 0

    @property
    def id(self) -> str:
        """Unique id of this store."""
        if not self._id:
            self.read()
        return self._id

    def prepare(self) -> None:
        for table in _TABLES:
            self._connection.run(f"CREATE TABLE IF NOT EXISTS {table}")
        if not self._connection.rows("SELECT max(number) FROM zcbus_state")[0][0]:
            now = now_us()
            head = {"id": uuid.uuid4().hex, "first": now + 1, "last": now, "checkpoints": [], "holds": {}, "parts": []}
            self._insert(now, 0, {**head, "transaction": ""})
        self._tidy()

    def read(self) -> State:
        rows = self._newest() or self._newest(prepared=True)
        number, head, done = rows[0]
        self.done = max(self.done, done)
        found = orjson.loads(head)
        self._id = found["id"]
        self._transaction, self._inline = found["transaction"], [Part.of_json(one) for one in found["parts"]]
        self.count = found["last"] - found["first"] + 1
        checkpoints = [Checkpoint(*one) for one in found["checkpoints"]]
        return State(
            {(one.subscription, one.name): one for one in checkpoints},
            {name: Hold(*one) for name, one in found["holds"].items()},
            found["first"],
            found["last"],
            number,
        )

    def row_errors(self, subscription: str) -> list[RowError]:
        query = f"SELECT data FROM {ERRORS} FINAL WHERE subscription = {text(subscription)}"
        return [row_error_from_json(data) for (data,) in self._connection.rows(query)]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        stored = StoredParts(self._connection, self._staging)
        try:
            for one in _all_parts(parts, errors or ()):
                stored.add(one, state.last + 1 + stored.count)
            stored.end()
        except RowRefused:
            stored.drop()
            raise
        after = replace(state, first=state.last + 1, last=state.last + stored.count, number=state.number + 1)
        head = {
            "id": self._id,
            "first": after.first,
            "last": after.last,
            "checkpoints": [[c.subscription, c.name, c.version, c.data] for c in state.checkpoints.values()],
            "holds": {name: [one.token, one.until] for name, one in state.holds.items()},
            "parts": [one.to_json() for one in stored.waiting],
            "transaction": stored.transaction,
        }
        if not self._insert(after.number, state.number, head):
            stored.drop()
            raise ConcurrentCommit(f"another commit follows {state.number}")
        self._transaction, self._inline, self.count = stored.transaction, stored.waiting, stored.count
        self._own_transaction, self._own = self._transaction, stored.own
        self._commits += 1
        if self._commits % _TIDY_EVERY == 0:
            self._forget(after.number)
        return after

    def part(self, place: int) -> Part | None:
        """The part of the last transaction at a place. None: the transaction is carried out."""
        if not self._transaction:
            return self._inline[place]
        if self._transaction == self._own_transaction and place in self._own:
            return self._own[place]
        where = f"transaction = {text(self._transaction)} AND number = {place}"
        rows = self._connection.rows(f"SELECT name, data FROM zcbus_parts WHERE {where}")
        return Part.of_bytes(rows[0][0].decode(), rows[0][1]) if rows else None

    def finished(self, number: int, staged: Iterable[str]) -> None:
        """The transaction is carried out, and its parts are needed no more. `staged`: names of tables."""
        self._connection.insert("zcbus_done", pa.table({"number": pa.array([number], pa.uint64())}))
        self.done = max(self.done, number)
        self._own.clear()
        if self._transaction:
            drop_partition(self._connection, self._transaction)
        self._staging.drop(staged)

    def _newest(self, *, prepared: bool = False) -> list[tuple[Any, ...]]:
        if prepared:
            self.prepare()
        query = (
            "SELECT number, head, (SELECT max(number) FROM zcbus_done) FROM zcbus_state "
            "WHERE number = (SELECT max(number) FROM zcbus_state) LIMIT 1"
        )
        try:
            return self._connection.try_rows(query)
        except Refusal as refusal:
            if refusal.code == UNKNOWN_TABLE and not prepared:
                return []
            raise self._connection.failed(refusal) from refusal

    def _insert(self, number: int, after: int, head: dict[str, Any]) -> bool:
        """Whether the commit is the one that follows."""
        own = uuid.uuid4().hex
        row = {
            "number": pa.array([number], pa.uint64()),
            "after": pa.array([after], pa.uint64()),
            "id": [own],
            "head": pa.array([orjson.dumps(head).decode()], pa.string()),
        }
        token = {"insert_deduplication_token": f"after-{after}"}
        self._connection.insert("zcbus_state", pa.table(row), **token)
        ((there, newest),) = self._connection.rows(f"SELECT countIf(id = {text(own)}), max(number) FROM zcbus_state")
        return bool(there) and newest - number < _WINDOW // 2

    def _forget(self, number: int) -> None:
        for table in ("zcbus_state", "zcbus_done"):
            self._connection.run(f"ALTER TABLE {table} DELETE WHERE number < {number - _KEPT}", mutations_sync="0")

    def _tidy(self) -> None:
        """Delete parts that no transaction will have."""
        old = int(time.time()) - _ORPHAN_SECONDS
        found = self._connection.rows(f"SELECT DISTINCT transaction FROM zcbus_parts WHERE made < {old}")
        staged = self._staging.old(old)
        if found or staged:
            state = self.read()
            for (transaction,) in found:
                if transaction.decode() != self._transaction:
                    drop_partition(self._connection, transaction.decode())
            if state.number <= self.done or not self.count:
                self._staging.drop(staged)


def _all_parts(parts: Iterable[Part], errors: Sequence[RowErrorChange]) -> Iterable[Part]:
    """The parts, and one with what becomes of row errors."""
    yield from parts
    last = {(one.subscription, one.id): one.error for one in errors}
    if last:
        rows = {
            "subscription": [subscription for subscription, _ in last],
            "id": [one for _, one in last],
            "data": pa.array(["" if one is None else row_error_text(one) for one in last.values()], pa.string()),
            GONE: pa.array([int(one is None) for one in last.values()], pa.uint8()),
        }
        yield Part("", pa.table(rows))
