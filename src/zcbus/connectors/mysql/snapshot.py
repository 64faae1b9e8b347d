"""A consistent image at one binlog position, without locks on tables.

MariaDB tells the position that belongs to a consistent snapshot. MySQL does not: there a global read lock of a few
milliseconds ties the two together. It must be a real lock: between the writing of a transaction to the binlog and its
becoming visible there is a gap that looking twice at the position does not show.
"""

import time
from collections.abc import Iterator, Sequence

import pyarrow as pa
from pymysql.err import OperationalError

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import AccessDenied, SourceNotReady
from zcbus.connectors.mysql import position as positions
from zcbus.connectors.mysql import quote
from zcbus.connectors.mysql.canonical import canonical, select_expression
from zcbus.connectors.mysql.errors import translated
from zcbus.connectors.mysql.keys import behind, fulfilling, not_behind
from zcbus.connectors.mysql.session import Session
from zcbus.connectors.mysql.textrows import TextRows, Values
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import RawRows
from zcbus.kit.errors import TransientError
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
_LOCK_SECONDS = 5
_LOCK_ATTEMPTS = 5


class MySQLSnapshot:
    """See SnapshotReader. Tables of engines without transactions are read as they are when it is their turn."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._session = Session(options, "source")
        try:
            self._session.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._position = _begin(self._session)
        except BaseException:
            self._session.close()
            raise

    @property
    def position(self) -> Position:
        return self._position

    def estimate(self, table: TableSchema) -> int | None:
        return estimated_rows(self._session, table)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        sql = self._statement(table, key, after, until, where)
        with translated(self._options, "source", str(table.name)):
            result = TextRows(self._session.driver, sql, len(table.columns))
            try:
                for values in result.batches(rows):
                    batch = _batch(table.columns, values)
                    yield batch, _key_text(table, key, batch)
            finally:
                self._give_up(result)

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """None: rows come with lengths, and no target takes them so."""

    def _statement(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        until: tuple[str, ...] | None,
        where: Condition | None,
    ) -> str:
        expressions = ", ".join(select_expression(column) for column in table.columns)
        conditions = [behind(table, key, after)] if after is not None else []
        conditions += [not_behind(table, key, until)] if until is not None else []
        conditions += [fulfilling(table, where)] if where is not None else []
        sql, params = f"SELECT {expressions} FROM {quote.table(table.name)}", [p for _, own in conditions for p in own]
        if conditions:
            sql += " WHERE " + " AND ".join(f"({condition})" for condition, _ in conditions)
        sql += f" ORDER BY {quote.identifiers(key)}"
        with self._session.driver.cursor() as cursor:
            return str(cursor.mogrify(sql, params or None))

    def _give_up(self, result: TextRows) -> None:
        """Leave a half-read result so that the connection, and with it the image, can be used for the next table."""
        if result.finished or result.lost:
            return
        with Session(self._options, "source") as other:
            other.execute(f"KILL QUERY {self._session.driver.thread_id()}")
        with translated(self._options, "source"):
            _drain(result)

    def __enter__(self) -> "MySQLSnapshot":
        return self

    def __exit__(self, *details: object) -> None:
        self._session.close()


def estimated_rows(session: Session, table: TableSchema) -> int | None:
    """From the server's statistics."""
    sql = "SELECT table_rows FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
    rows = session.rows(sql, [table.name.schema, table.name.table])
    return int(rows[0][0]) if rows and rows[0][0] is not None else None


def _drain(result: TextRows) -> None:
    try:
        result.drain()
    except OperationalError as error:
        if error.args[0] != 1317:  # the interruption we asked for
            raise


def _batch(columns: Sequence[Column], values: list[Values]) -> pa.RecordBatch:
    arrays = [canonical(one, column.type) for column, one in zip(columns, values, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=[column.name for column in columns])


def _key_text(table: TableSchema, key: tuple[str, ...], batch: pa.RecordBatch) -> tuple[str, ...]:
    """Key of the last row; binary keys in hexadecimal."""
    last = [batch.column(name)[batch.num_rows - 1].as_py() for name in key]
    return tuple(
        value.hex() if table.column(name).type.kind is Kind.BINARY else str(value)
        for name, value in zip(key, last, strict=True)
    )


def _begin(session: Session) -> Position:
    return _begin_on_mariadb(session) if session.version.mariadb else _begin_on_mysql(session)


def _begin_on_mariadb(session: Session) -> Position:
    session.execute(_BEGIN)
    status = {str(name).lower(): str(value) for name, value in session.rows("SHOW STATUS LIKE 'binlog_snapshot_%'")}
    file = status.get("binlog_snapshot_file", "")
    if not file:
        raise SourceNotReady(kind=session.options.kind, setting="log_bin", value="OFF", expected="ON")
    return Position(positions.LogFile.parse(file).number, int(status["binlog_snapshot_position"]))


def _begin_on_mysql(session: Session) -> Position:
    session.execute(f"SET SESSION lock_wait_timeout={_LOCK_SECONDS}")
    try:
        _lock(session)
        session.execute(_BEGIN)
        _, position = positions.current(session)
    finally:
        session.execute("UNLOCK TABLES")
    session.execute("SET SESSION lock_wait_timeout=60")
    return position


def _lock(session: Session) -> None:
    """Long statements of others make the lock wait, and it makes new ones wait: so never for long at a time."""
    for attempt in range(1, _LOCK_ATTEMPTS + 1):
        try:
            session.execute("FLUSH TABLES WITH READ LOCK")
            return
        except AccessDenied as error:
            raise AccessDenied(**{**error.facts, "detail": "RELOAD is needed for a consistent snapshot"}) from error
        except TransientError:
            if attempt == _LOCK_ATTEMPTS:
                raise
            time.sleep(attempt)
