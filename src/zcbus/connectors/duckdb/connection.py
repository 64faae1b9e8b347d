"""A database file that is open only during use, and translation of DuckDB's errors.

DuckDB allows either one process to write a file or several to read it. The platform's processes therefore open it for
one transaction or one read, and wait for each other meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from zcbus.connectors.duckdb.shared import CATALOG, IN_USE, borrow, give_back
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.errors import (
    AccessDenied,
    DatabaseFailed,
    RowRefused,
    TableMissing,
    TargetLocked,
)
from zcbus.connectors.full_disk import says_full, unavailable_class
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import FileOutside, confined
from zcbus.model.schema import TableName

_NO_ACCESS = ("Permission denied", "Read-only file system")
_NO_DATABASE = ("not a valid DuckDB database", "storage version", "newer version")
_TRY_AGAIN = (
    duckdb.TransactionException,
    duckdb.OutOfMemoryException,
    duckdb.InterruptException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.ConnectionException,
)


class DatabaseFile:
    """A file for one session or reader, used by one thread at a time; `interrupt` is thread-safe."""

    def __init__(self, options: DuckDBOptions, side: Side) -> None:
        """Does not open the file. Raises AccessDenied, TargetUnavailable."""
        self._options, self._side = options, side
        self._interrupted = False
        self._writing: duckdb.DuckDBPyConnection | None = None
        self._reading: duckdb.DuckDBPyConnection | None = None
        with translated(options, side):
            self.path = confined(options.tenant, options.file)
            if side == "target":
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._shared = borrow(self.path, confined(options.tenant, "."))

    @property
    def engine(self) -> duckdb.DuckDBPyConnection:
        """The connection of the open transaction."""
        assert self._writing is not None
        return self._writing

    @property
    def is_open(self) -> bool:
        return self._writing is not None

    def begin(self) -> None:
        """Begin a transaction; the file is created if it is missing. Raises TargetLocked, and the file's errors."""
        with translated(self._options, self._side):
            connection = self._enter(writes=True)
            try:
                connection.execute("BEGIN")
            except BaseException:
                self._shared.leave(connection, writes=True)
                raise
            self._writing = connection

    def end(self, statement: str) -> None:
        """COMMIT or ROLLBACK; others may have the file then, whether it went well or not."""
        connection, self._writing = self.engine, None
        with translated(self._options, self._side):
            try:
                connection.execute(statement)
            except BaseException:
                with suppress(duckdb.Error):
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._shared.leave(connection, writes=True)

    @contextmanager
    def reading(self, of: str = "") -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to read committed data, or the open transaction's view."""
        with translated(self._options, self._side, of):
            if self._writing is not None:
                yield self._writing
                return
            writes = self._side == "target" and not self.path.exists()
            connection = self._reading = self._enter(writes=writes)
            try:
                yield connection
            finally:
                self._reading = None
                self._shared.leave(connection, writes=writes)

    def interrupt(self) -> None:
        self._interrupted = True
        for connection in (self._reading, self._writing):
            if connection is not None:
                with suppress(duckdb.Error):
                    connection.interrupt()

    def close(self) -> None:
        """Roll back the open transaction."""
        if self._writing is not None:
            with suppress(ZcbusError):
                self.end("ROLLBACK")
        give_back(self.path)

    def _enter(self, *, writes: bool) -> duckdb.DuckDBPyConnection:
        wait = float(self._options.lock_wait)
        return self._shared.enter(writes=writes, wait=wait, interrupted=lambda: self._interrupted)


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def identifiers(names: "tuple[str, ...] | list[str]") -> str:
    return ", ".join(map(identifier, names))


def table(name: TableName) -> str:
    """The name in statements."""
    return f"{CATALOG}.{identifier(name.schema)}.{identifier(name.table)}"


@contextmanager
def translated(options: DuckDBOptions, side: Side, of: str = "") -> Iterator[None]:
    """Translate DuckDB's errors; with `of`, a table, its refusals become RowRefused."""
    try:
        yield
    except (duckdb.Error, OSError, OverflowError, ValueError) as error:
        raise _translate(error, options, side, of) from error


def _translate(error: Exception, options: DuckDBOptions, side: Side, of: str) -> ZcbusError:
    where = {"kind": options.kind, "address": options.address}
    detail = str(error).split("\n\nLINE ")[0].strip()
    unavailable = unavailable_class(side, full=says_full(error))
    if any(part in detail for part in IN_USE):
        locked = TargetLocked(**where, detail=detail, table=of, holder="")
        return locked if side == "target" else unavailable(**where, detail=detail)
    if isinstance(error, FileOutside | PermissionError) or any(part in detail for part in _NO_ACCESS):
        return AccessDenied(**where, user="", detail=detail)
    if any(part in detail for part in _NO_DATABASE):
        return DatabaseFailed(kind=options.kind, detail=detail)
    if isinstance(error, (*_TRY_AGAIN, duckdb.IOException, OSError)):
        return unavailable(**where, detail=detail)
    if isinstance(error, duckdb.CatalogException) and "Table with name" in detail:
        return TableMissing(table=of or detail, side=side)
    if of and side == "target":
        return RowRefused(table=of, detail=detail)
    return DatabaseFailed(kind=options.kind, detail=detail)
