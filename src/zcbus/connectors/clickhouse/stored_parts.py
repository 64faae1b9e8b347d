"""The parts of a transaction on their way into the database, before it is decided.

Small ones are in the commit itself, further ones are rows of `zcbus_parts`, and the rows of large ones are in a table
of their own each.
"""

import time
import uuid

import pyarrow as pa

from zcbus.connectors.clickhouse.connection import ClickHouseConnection, text
from zcbus.connectors.clickhouse.parts import Part
from zcbus.connectors.clickhouse.staging import STAGED_BYTES, Staging

_INLINE_BYTES = 256 << 10
"""Of parts that are in the commit itself."""
_OWN_BYTES = 32 << 20
"""Of parts that a session keeps until they are inserted."""


class StoredParts:
    """Those of one transaction."""

    def __init__(self, connection: ClickHouseConnection, staging: Staging) -> None:
        self._connection, self._staging = connection, staging
        self._partition = uuid.uuid4().hex
        self._stored = 0
        """Parts that are rows of `zcbus_parts`."""
        self._staged: list[str] = []
        self._size = self._together = 0
        self.waiting: list[Part] = []
        """After `end`: those that the commit itself has."""
        self.own: dict[int, Part] = {}
        """By place, as long as they are few: they need not be read."""
        self.count = 0

    @property
    def transaction(self) -> str:
        """Partition of `zcbus_parts`; empty: it has none of them."""
        return self._partition if self._stored else ""

    def add(self, part: Part, version: int) -> None:
        """Store the next part. `version`: of its rows."""
        kept = self._staging.stage(part, version) if part.table and part.size > STAGED_BYTES else part
        if kept.staged:
            self._staged.append(kept.staged)
        self._together += kept.size
        if self._together <= _OWN_BYTES:
            self.own[self.count] = kept
        self.count += 1
        self._size += kept.size
        self.waiting.append(kept)
        if self._size > _INLINE_BYTES:
            self._store()

    def end(self) -> None:
        """All parts were added: those of one transaction are in one place."""
        if self._stored and self.waiting:
            self._store()

    def drop(self) -> None:
        """The transaction will not be decided."""
        if self._stored:
            drop_partition(self._connection, self._partition)
        self._staging.drop(self._staged)

    def _store(self) -> None:
        first, count = self._stored, len(self.waiting)
        rows = {
            "transaction": [self._partition] * count,
            "number": pa.array(range(first, first + count), pa.uint32()),
            "name": [one.table for one in self.waiting],
            "data": pa.array([one.to_bytes() for one in self.waiting], pa.binary()),
            "made": pa.array([int(time.time())] * count, pa.uint64()),
        }
        self._connection.insert("zcbus_parts", pa.table(rows))
        self._stored, self._size, self.waiting = first + count, 0, []


def drop_partition(connection: ClickHouseConnection, transaction: str) -> None:
    """Delete the stored parts of a transaction."""
    connection.run(f"ALTER TABLE zcbus_parts DROP PARTITION {text(transaction)}")
