"""Local database of a stream query: its inputs' rows and its result, without access to files or network."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from zcbus.engine.reasons import STATE_BUSY, STREAM_QUERY_FAILED, STREAM_QUERY_TOO_SLOW, TableStopped
from zcbus.engine.transform.sandbox import MAX_VALUE_LENGTH, lock_down, too_long
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.batches import plain_batch

_POLL_SECONDS = 0.2


class StateBusy(TransientError):
    """Another process has the file open. Facts: path."""

    code = STATE_BUSY


class Stopped(Exception):
    """The service must stop. A signal within the engine."""


class Database:
    """One connection to one file, without access to other files, the network or settings. Committed transactions are
    durable."""

    def __init__(self, path: Path | None, memory_mb: int, spill_mb: int) -> None:
        """`path`: None: in memory. A file that cannot be read is removed. Raises StateBusy."""
        self._path = path
        self._connection = duckdb.connect(":memory:") if path is None else _open(path)
        if path is not None:
            folder = str(path.parent / "spill").replace("'", "''")
            self.execute(f"SET temp_directory = '{folder}'")
            self.execute(f"SET max_temp_directory_size = '{spill_mb}MB'")
        lock_down(self._connection, memory_mb)
        self.execute("CREATE SCHEMA IF NOT EXISTS zcbus")

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of one statement."""
        found: list[tuple[Any, ...]] = self._connection.execute(sql, list(parameters)).fetchall()
        return found

    def columns(self, sql: str) -> list[tuple[str, str]]:
        """Names and types of a query's result, without computing it."""
        relation = self._connection.sql(sql)
        return list(zip(relation.columns, map(str, relation.types), strict=True))

    def batches(self, sql: str, rows: int) -> Iterator[pa.RecordBatch]:
        """The rows of a query in batches. No other statement may run in between."""
        reader = self._connection.sql(sql).to_arrow_reader(rows)
        assert reader is not None
        for batch in reader:
            if batch.num_rows:
                found = plain_batch(pa.Table.from_batches([batch]))
                long = too_long(found)
                if long is not None:
                    raise TableStopped(
                        STREAM_QUERY_FAILED, detail=f"{long}: a value is longer than {MAX_VALUE_LENGTH} bytes"
                    )
                yield found

    @contextlib.contextmanager
    def registered(self, name: str, batch: pa.RecordBatch) -> Iterator[None]:
        """Make the batch a table of that name within the body."""
        self._connection.register(name, batch)
        try:
            yield
        finally:
            self._connection.unregister(name)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the body in one transaction."""
        self.execute("BEGIN")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                self.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def bounded(self, stop: threading.Event, seconds: float) -> Iterator[None]:
        """Interrupt the body's statements when the service stops or the time is over. Raises Stopped, TableStopped."""
        finished = threading.Event()
        watch = threading.Thread(target=self._watch, args=(finished, stop, seconds), daemon=True)
        watch.start()
        try:
            yield
        except duckdb.InterruptException as error:
            if stop.is_set():
                raise Stopped from error
            raise TableStopped(STREAM_QUERY_TOO_SLOW, seconds=f"{seconds:g}") from error
        finally:
            finished.set()
            watch.join()

    def _watch(self, finished: threading.Event, stop: threading.Event, seconds: float) -> None:
        waited = 0.0
        while not finished.wait(_POLL_SECONDS):
            waited += _POLL_SECONDS
            if stop.is_set() or waited >= seconds:
                self._connection.interrupt()

    @property
    def size_bytes(self) -> int:
        """Size on disk."""
        if self._path is None:
            return 0
        files = (self._path, self._path.with_name(self._path.name + ".wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Idempotent."""
        self._connection.close()


def _open(path: Path) -> duckdb.DuckDBPyConnection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return duckdb.connect(str(path))
    except duckdb.Error as error:
        if "lock on file" in str(error):
            raise StateBusy(path=path) from error
        get_logger("stream").warning("a computation's data cannot be read and is rebuilt", path=str(path))
        remove(path)
        return duckdb.connect(str(path))


def remove(path: Path) -> None:
    """Remove a stream query's data."""
    for file in (path, path.with_name(path.name + ".wal")):
        file.unlink(missing_ok=True)


def quoted(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'
