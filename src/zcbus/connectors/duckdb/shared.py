"""The files that this process has open, each once: an engine's lock on a file holds between processes only."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

CATALOG = "db"
"""Alias of a file in statements."""
IN_USE = ("Could not set lock", "Conflicting lock", "already attached", "Unique file handle conflict")
"""Parts of DuckDB's messages for a file that another process uses."""
_STORAGE = "v1.2.0"
"""Of new files: the oldest release of DuckDB that reads them."""
_MEMORY = "512MB"
_MAX_THREADS = 4
_POLL_SECONDS = 0.02


class SharedFile:
    """A file, attached to one engine while it has users in this process: one writer and any number of readers of
    committed data. Thread-safe."""

    def __init__(self, path: Path, folder: Path) -> None:
        """`folder`: the only folder, besides a temporary one, that the engine may access."""
        self._path, self._folder = path, folder
        self._scratch = TemporaryDirectory(prefix="zcbus-duckdb-")
        self._engine = self._new_engine()
        self._changed = threading.Condition()
        self._users = 0
        self._writes, self._is_written = False, False

    def enter(self, *, writes: bool, wait: float, interrupted: Callable[[], bool]) -> duckdb.DuckDBPyConnection:
        """A connection, until `leave`. Waits for those who exclude it. Raises duckdb.Error."""
        deadline = time.monotonic() + wait
        with self._changed:
            while not self._entered(writes=writes):
                if interrupted():
                    raise duckdb.InterruptException("interrupted")
                if time.monotonic() >= deadline:
                    if self._users:
                        raise duckdb.IOException(f"{IN_USE[0]} on file: it is used by this process")
                    self._attach(writes=writes)  # names the process that uses it
                    break
                self._changed.wait(_POLL_SECONDS)
            self._users += 1
            self._is_written |= writes
            return self._engine.cursor()

    def leave(self, connection: duckdb.DuckDBPyConnection, *, writes: bool) -> None:
        """Release the file for other processes. No transaction may be open; committed data is durable in any case."""
        connection.close()
        with self._changed:
            self._users -= 1
            self._is_written &= not writes
            if self._users == 0:
                self._detach()
            self._changed.notify_all()

    def close(self) -> None:
        """Close an unused file."""
        self._engine.close()
        self._scratch.cleanup()

    def _entered(self, *, writes: bool) -> bool:
        if self._users:
            return not writes or (self._writes and not self._is_written)
        try:
            self._attach(writes=writes)
        except duckdb.Error as error:
            if any(part in str(error) for part in IN_USE):
                return False
            raise
        return True

    def _attach(self, *, writes: bool) -> None:
        options = "READ_ONLY" if not writes else f"STORAGE_VERSION '{_STORAGE}'"
        suffix = f" ({options})" if not writes or not self._path.exists() else ""
        self._engine.execute(f"ATTACH {literal(str(self._path))} AS {CATALOG}{suffix}")
        self._writes = writes

    def _detach(self) -> None:
        try:
            self._engine.execute(f"DETACH {CATALOG}")
        except duckdb.Error:
            # The log could not be written back into the file: the next process that opens it reads the log.
            self._engine.close()
            self._engine = self._new_engine()

    def _new_engine(self) -> duckdb.DuckDBPyConnection:
        """An engine without access to files outside of the folders, for any expression in a file."""
        engine = duckdb.connect(":memory:", config={"python_enable_replacements": "false"})
        folders = ", ".join(literal(str(one)) for one in (self._folder, self._scratch.name))
        for setting in (
            f"memory_limit = '{_MEMORY}'",
            f"threads = {min(_MAX_THREADS, os.cpu_count() or 1)}",
            f"temp_directory = {literal(self._scratch.name)}",
            "TimeZone = 'UTC'",
            "autoinstall_known_extensions = false",
            "autoload_known_extensions = false",
            f"allowed_directories = [{folders}]",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            engine.execute(f"SET {setting}")
        return engine


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_FILES: dict[Path, tuple[SharedFile, int]] = {}
_CHOOSING = threading.Lock()


def borrow(path: Path, folder: Path) -> SharedFile:
    """The file of this process, until `give_back`."""
    with _CHOOSING:
        shared, count = _FILES.get(path) or (SharedFile(path, folder), 0)
        _FILES[path] = (shared, count + 1)
        return shared


def give_back(path: Path) -> None:
    """Once for each time that it was borrowed."""
    with _CHOOSING:
        shared, count = _FILES.pop(path)
        if count > 1:
            _FILES[path] = (shared, count - 1)
            return
    shared.close()
