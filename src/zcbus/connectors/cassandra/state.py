"""State of a keyspace, in tables of its own.

| table              | rows                                                                                        |
|--------------------|---------------------------------------------------------------------------------------------|
| `zcbus_state`      | `head`: number of the last transaction, its parts' id and count, all checkpoints and holds  |
| `zcbus_done`       | `done`: number of the last transaction that is carried out                                  |
| `zcbus_parts`      | rows that a transaction changes: a partition for each; see parts.Part                       |
| `zcbus_row_errors` | row errors                                                                                  |

A transaction is committed by a conditional write of `head` (Paxos among the replicas of all datacenters), which the
server refuses where it has changed since it was read. Parts are written before; those of a transaction that was never
committed are deleted when they are a day old.

Each part has a number, the last one its transaction's: the timestamp of its rows. Numbers grow, and are not behind the
clock in microseconds, so that rows by others do not win.
"""

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.cassandra.connection import SETTLED, STATE, CassandraConnection, Refusal
from zcbus.connectors.cassandra.parts import GONE, Part, part
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.decided_parts import CACHED_BYTES, ORPHAN_SECONDS, next_number
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_text
from zcbus.model.row_errors import RowError

ERRORS = "zcbus_row_errors"
_TABLES = {
    "zcbus_state": "id text PRIMARY KEY, number bigint, head blob",
    "zcbus_done": "id text PRIMARY KEY, number bigint",
    "zcbus_parts": "transaction text, number int, made bigint static, name text, data blob, "
    "PRIMARY KEY (transaction, number)",
    ERRORS: "subscription text, id text, data text, PRIMARY KEY (subscription, id)",
}
_SENT_TOGETHER = 8
"""Parts."""


class StateTables:
    """As one session sees it; see StateStore."""

    def __init__(self, connection: CassandraConnection) -> None:
        self._connection = connection
        self._state, self._done, self._parts = (
            connection.own_table(f"zcbus_{name}") for name in ("state", "done", "parts")
        )
        self._id = self._transaction = ""
        self._number = 0
        """Of the head that was read or written last."""
        self._own: dict[int, Part] = {}
        """Parts of the last transaction of this session, so that they need not be read."""
        self.count = 0
        """Of the parts of the transaction that was read or written last."""
        self.done = 0
        """Number of the last transaction that was found carried out."""

    @property
    def id(self) -> str:
        """Unique id of this store."""
        if not self._id:
            self.read()
        return self._id

    def prepare(self) -> None:
        query = "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?"
        there = {name for (name,) in self._connection.rows(query, [self._connection.options.keyspace])}
        for name, columns in _TABLES.items():
            if name not in there:
                self._alter(f"CREATE TABLE IF NOT EXISTS {self._connection.own_table(name)} ({columns})")
        head = {"id": uuid.uuid4().hex, "last": 0, "transaction": "", "count": 0, "checkpoints": [], "holds": {}}
        first = f"INSERT INTO {self._state} (id, number, head) VALUES ('head', ?, ?) IF NOT EXISTS"
        self._connection.rows(first, [next_number(0), orjson.dumps(head)], STATE)
        self._tidy()

    def read(self) -> State:
        rows = self._head(may_miss=True)
        if not rows:
            self.prepare()
            rows = self._head()
        ((number, data),) = rows
        head = orjson.loads(data)
        if head["transaction"] != self._transaction:
            self._own = {}
        self._id, self._number = head["id"], number
        self._transaction, self.count = head["transaction"], head["count"]
        for (done,) in self._connection.rows(f"SELECT number FROM {self._done} WHERE id = 'done'", (), STATE):
            self.done = max(self.done, done)
        checkpoints = [Checkpoint(*one) for one in head["checkpoints"]]
        return State(
            {(one.subscription, one.name): one for one in checkpoints},
            {name: Hold(*one) for name, one in head["holds"].items()},
            head["last"] - self.count + 1,
            head["last"],
            number,
        )

    def row_errors(self, subscription: str) -> list[RowError]:
        found = self._connection.pages(
            f"SELECT data FROM {self._connection.own_table(ERRORS)} WHERE subscription = ?", [subscription]
        )
        return [row_error_from_json(data.encode()) for page in found for (data,) in page]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        transaction, own = uuid.uuid4().hex, dict[int, Part]()
        try:
            count = self._stored(transaction, _all_parts(parts, errors or ()), own)
        except BaseException:
            self._drop(transaction)
            raise
        number = next_number(self._number, count)
        after = replace(state, first=state.last + 1, last=state.last + count, number=number)
        head = {
            "id": self._id,
            "last": after.last,
            "transaction": transaction,
            "count": count,
            "checkpoints": [[c.subscription, c.name, c.version, c.data] for c in state.checkpoints.values()],
            "holds": {name: [one.token, one.until] for name, one in state.holds.items()},
        }
        if not self._decided(number, head):
            if count:
                self._drop(transaction)
            raise ConcurrentCommit(f"another commit follows {self._number}")
        self._number, self._transaction, self.count, self._own = number, transaction, count, own
        return after

    def part(self, place: int) -> Part | None:
        """The part of the last transaction at a place. None: the transaction is carried out."""
        if place in self._own:
            return self._own[place]
        query = f"SELECT name, data FROM {self._parts} WHERE transaction = ? AND number = ?"
        rows = self._connection.rows(query, [self._transaction, place], STATE)
        return Part(*rows[0]) if rows else None

    def finished(self, number: int) -> None:
        """The transaction is carried out, and its parts are needed no more."""
        done = f"INSERT INTO {self._done} (id, number) VALUES ('done', ?) USING TIMESTAMP ?"
        self._connection.rows(done, [number, number], STATE)
        self.done = max(self.done, number)
        self._own = {}
        self._drop(self._transaction)

    def _head(self, *, may_miss: bool = False) -> list[tuple[Any, ...]]:
        try:
            return self._connection.try_rows(f"SELECT number, head FROM {self._state} WHERE id = 'head'", (), SETTLED)
        except Refusal as refusal:
            if may_miss and "zcbus_state" in str(refusal):
                return []
            raise self._connection.failed(refusal) from refusal

    def _decided(self, number: int, head: dict[str, Any]) -> bool:
        """Whether this commit follows the head that was read last. A transaction's id shows where a request that was
        sent again found its own work."""
        update = f"UPDATE {self._state} SET number = ?, head = ? WHERE id = 'head' IF number = ?"
        values = [number, orjson.dumps(head), self._number]
        if self._connection.rows(update, values, STATE)[0][0]:
            return True
        ((_, data),) = self._head()
        return bool(orjson.loads(data)["transaction"] == head["transaction"])

    def _stored(self, transaction: str, parts: Iterable[Part], own: dict[int, Part]) -> int:
        """Write parts; returns how many. `own`: gets the first of them."""
        count = size = 0
        waiting: list[list[Any]] = []
        for one in parts:
            waiting.append([transaction, count, int(time.time()), one.table, one.data])
            size += len(one.data)
            if size <= CACHED_BYTES:
                own[count] = one
            count += 1
            if len(waiting) == _SENT_TOGETHER:
                self._send(waiting)
                waiting = []
        if waiting:
            self._send(waiting)
        return count

    def _send(self, parts: list[list[Any]]) -> None:
        insert = f"INSERT INTO {self._parts} (transaction, number, made, name, data) VALUES (?, ?, ?, ?, ?)"
        self._connection.each(insert, parts, STATE)

    def _drop(self, transaction: str) -> None:
        self._connection.rows(f"DELETE FROM {self._parts} WHERE transaction = ?", [transaction], STATE)

    def _alter(self, statement: str) -> None:
        try:
            self._connection.alter(statement)
        except Refusal as refusal:
            raise self._connection.failed(refusal) from refusal

    def _tidy(self) -> None:
        """Delete parts that no transaction will have."""
        old = int(time.time()) - ORPHAN_SECONDS
        pages = self._connection.pages(f"SELECT DISTINCT transaction, made FROM {self._parts}")
        found = [name for page in pages for name, made in page if made is not None and made < old]
        if found:
            self.read()
            for name in found:
                if name != self._transaction:
                    self._drop(name)


def _all_parts(parts: Iterable[Part], errors: Sequence[RowErrorChange]) -> Iterator[Part]:
    """The parts, and one with what becomes of row errors."""
    yield from parts
    last = {(one.subscription, one.id): one.error for one in errors}
    if last:
        rows = {
            "subscription": [subscription for subscription, _ in last],
            "id": [one for _, one in last],
            "data": pa.array([None if one is None else row_error_text(one) for one in last.values()], pa.string()),
            GONE: [one is None for one in last.values()],
        }
        yield part("", pa.table(rows))
