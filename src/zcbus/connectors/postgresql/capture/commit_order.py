"""The commit order of two transactions: one in the log, and one of which only the id is known.

Ids alone do not give the order. A transaction gets its id at its first write, and ALTER TABLE gets one before it waits
for the table's lock, so either transaction may be the older one. The evidence:

- Observations: the server's snapshot together with a log position, taken periodically. A transaction that had ended in
  the snapshot was committed before that position; one without an id in the next snapshot was committed after it.
- The slot: a transaction older than its catalog_xmin had ended at the slot's confirmed position, and so before
  everything that is read.
- A temporary copy of the slot with the plugin test_decoding, which lists every transaction, also those that only
  altered tables. It needs the plugin, a free slot and PostgreSQL 12. It decodes the log after the confirmed position
  once more, so it is the last resort.

A subtransaction has an id of its own that no list of commits has; observations and the slot still apply.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum

import psycopg

from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.postgresql.transaction_ids import BITS, is_newer

_OBSERVE_SECONDS = 1.0
_KEPT = 3600
_LIST_SECONDS = 30.0
_LIST_CHANGES = 10_000
_NAME_BYTES = 63
_PLUGIN = "test_decoding"
_COMMIT = "COMMIT "


class Order(Enum):
    """Order between the commit of a transaction in the log and that of another one."""

    BEFORE = "before"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Committed:
    """A transaction in the log."""

    transaction: int
    final: int
    """Where its commit record starts."""


@dataclass(frozen=True, slots=True)
class _Observation:
    oldest: int
    """Every older id had ended, subtransactions included."""
    next: int
    """Every id that is not older had not been assigned yet."""
    end: int
    """How far the log went just afterwards."""


class CommitOrder:
    """Evidence about the order of one slot's transactions. Not thread-safe."""

    def __init__(self, catalog: Callable[[], Connection], slot: str) -> None:
        """`catalog` gives a session with the slot's database, in no transaction."""
        self._catalog, self._slot = catalog, slot
        self._observations: deque[_Observation] = deque(maxlen=_KEPT)
        self._last = float("-inf")

    def observe(self) -> None:
        """Record the server's snapshot and position, at most once a second.

        A standby's snapshot may be ahead of the position it reports, so standbys are not observed.
        """
        if time.monotonic() - self._last < _OBSERVE_SECONDS:
            return
        self._last = time.monotonic()
        for oldest, after, end in self._catalog().execute(_OBSERVE).fetchall():
            self._observations.append(_Observation(oldest, after, end))

    def of(self, writer: Committed, others: Collection[int]) -> dict[int, Order]:
        """Order by the other's id, as far as observations or the slot decide."""
        found = {other: order for other in others if (order := self._observed(writer, other)) is not None}
        if open_ones := set(others) - set(found):
            for (oldest,) in self._catalog().execute(_SLOT, [self._slot]).fetchall():
                found |= {other: Order.BEHIND for other in open_ones if is_newer(oldest, other)}
        return found

    def listed(self, writer: Committed, others: Collection[int]) -> dict[int, Order]:
        """Order by the other's id, as far as the log's commits decide.

        Ids are missing if the server refuses or takes too long. Blocks while the log after the confirmed position is
        decoded, half a minute at most.
        """
        before: set[int] = set()
        found: dict[int, Order] = {}
        is_behind_writer = False
        for transaction in self._commits():
            if transaction == writer.transaction:
                is_behind_writer = True
                found |= dict.fromkeys(before, Order.BEHIND)
            elif transaction in others:
                if is_behind_writer:
                    found[transaction] = Order.BEFORE
                else:
                    before.add(transaction)
            if is_behind_writer and len(found) == len(others):
                break
        return found

    def _observed(self, writer: Committed, other: int) -> Order | None:
        earlier: _Observation | None = None
        for one in self._observations:
            if writer.final >= one.end and is_newer(one.oldest, other):
                return Order.BEHIND
            if earlier is not None and writer.final < earlier.end and not is_newer(one.next, other):
                return Order.BEFORE
            earlier = one
        return None

    def _commits(self) -> Iterator[int]:
        """Ids of the transactions after the slot's confirmed position, in commit order."""
        connection = self._catalog()
        name = f"{self._slot[: _NAME_BYTES - 8]}_commits"
        deadline = time.monotonic() + _LIST_SECONDS
        try:
            connection.execute(_COPY, [self._slot, name, _PLUGIN])
        except psycopg.Error:
            if connection.broken:
                raise
            return
        try:
            read = 1
            while read and time.monotonic() < deadline:
                read, commits = connection.execute(_NEXT, [f"{_COMMIT}%", name, _LIST_CHANGES]).fetchall()[0]
                yield from (int(text.removeprefix(_COMMIT)) & BITS for text in commits or ())
        except psycopg.Error:
            if connection.broken:
                raise
        finally:
            if not connection.broken:
                connection.execute(_DROP, [name])


# A statement's snapshot is taken before its functions are evaluated.
_OBSERVE = """
SELECT pg_catalog.txid_snapshot_xmin(now.snapshot), pg_catalog.txid_snapshot_xmax(now.snapshot),
       pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0')::int8
  FROM (SELECT pg_catalog.txid_current_snapshot() AS snapshot) now
 WHERE NOT pg_catalog.pg_is_in_recovery()
"""
_SLOT = "SELECT catalog_xmin::text::int8 FROM pg_catalog.pg_replication_slots WHERE slot_name = %s"
_COPY = "SELECT pg_catalog.pg_copy_logical_replication_slot(%s, %s, true, %s)"
_NEXT = """
SELECT count(*), array_agg(data) FILTER (WHERE data LIKE %s)
  FROM pg_catalog.pg_logical_slot_get_changes(%s, NULL, %s, 'include-xids', 'on', 'skip-empty-xacts', 'off')
"""
_DROP = "SELECT pg_catalog.pg_drop_replication_slot(%s)"
