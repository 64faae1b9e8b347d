"""The latest message of each key of a topic, in a file of its own."""

import sqlite3
from collections.abc import Iterator, Sequence

from zcbus.connectors.consuming.consumer import Partition
from zcbus.connectors.kafka.committed import CommittedReader
from zcbus.connectors.kafka.messages import is_removal
from zcbus.connectors.kafka.spec import KafkaOptions

_KEYS_AT_ONCE = 1000
_VALUES_AT_ONCE = 500


class LatestMessages:
    """Reads the topic when it is first asked, and what was written since then on later calls. Not thread-safe."""

    def __init__(self, options: KafkaOptions, reader: CommittedReader, topic: str, partitions: Sequence[int]) -> None:
        self._options, self._reader = options, reader
        self._partitions: list[Partition] = [(topic, number) for number in partitions]
        self._positions: dict[Partition, int] = {}
        # A file without a name: in memory while it is small, and gone with the connection.
        self._file = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._file.execute("PRAGMA synchronous = OFF")
        self._create()

    def refresh(self) -> None:
        """Read up to the end. Errors: TargetUnavailable, AccessDenied."""
        if not self._positions:
            self._file.execute("DROP TABLE latest")
            self._create()
        for messages in self._reader.read(self._partitions, self._positions):
            last = {one.key: one.value for one in messages if one.key is not None}
            removed = [(key,) for key, value in last.items() if is_removal(value, self._options)]
            gone = {key for (key,) in removed}
            self._file.execute("BEGIN")
            self._file.executemany("DELETE FROM latest WHERE key = ?", removed)
            kept = [(key, value) for key, value in last.items() if key not in gone]
            self._file.executemany("INSERT OR REPLACE INTO latest VALUES (?, ?)", kept)
            self._file.execute("COMMIT")

    def all_keys(self) -> Iterator[list[bytes]]:
        """All keys, in parts; may be changed meanwhile."""
        last = b""
        while True:
            statement = "SELECT key FROM latest WHERE key > ? ORDER BY key LIMIT ?"
            found = [key for (key,) in self._file.execute(statement, (last, _KEYS_AT_ONCE))]
            if not found:
                return
            last = found[-1]
            yield found

    def values(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are there."""
        found: dict[bytes, bytes] = {}
        for begin in range(0, len(keys), _VALUES_AT_ONCE):
            part = keys[begin : begin + _VALUES_AT_ONCE]
            marks = ", ".join("?" * len(part))
            found |= self._file.execute(f"SELECT key, value FROM latest WHERE key IN ({marks})", part).fetchall()
        return found

    def close(self) -> None:
        """Idempotent."""
        self._file.close()

    def _create(self) -> None:
        self._file.execute("CREATE TABLE latest (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
