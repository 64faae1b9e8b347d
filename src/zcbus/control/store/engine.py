"""One door to the metadata store, whichever database it is."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text

from zcbus.control.store.change_events import ChangeEvents, take_pending
from zcbus.control.store.event_relay import EventRelay
from zcbus.control.store.one_writer import let_one_write, writing
from zcbus.control.store.reduction.reducer import Reducer, watch
from zcbus.control.store.statement_figures import count_statements
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.retry import growing_pauses

_BUSY_TIMEOUT_MS = 15_000
# Any number will do, as long as every replica takes the same one.
_ADVISORY_LOCK = 7_232_027

_POOL_SIZE = 20
_POOL_OVERFLOW = 40


class Database:
    """Hands out SQLAlchemy Core connections, each inside exactly one transaction. Safe for many threads.

    `write()` takes SQLite's write lock at once (BEGIN IMMEDIATE), PostgreSQL's (`one_writer`) before it first writes,
    so keep slow work (hashing, network) outside of it.
    Shown states that follow from what is written are reduced in the same transaction (`zcbus.control.store.reduction`).
    """

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        self.engine = _create_engine(url)
        self.states = Reducer(clock or SystemClock())
        self._reading = self.engine.execution_options(**_reading_options(self.engine))
        self._writing = self.engine.execution_options(zcbus_begin="BEGIN IMMEDIATE")
        self.change_events = ChangeEvents()
        self.relay = EventRelay(self.engine, self.change_events)

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.engine.dialect.name

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads; on PostgreSQL the server refuses writes in it."""
        with self._reading.begin() as connection:
            yield connection

    @contextmanager
    def read_snapshot(self) -> Iterator[Connection]:
        """As `read`, and all statements see the same state of the store."""
        with self.read() as connection:
            # SQLite's transactions always do.
            if self.dialect == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that commits when the block ends and rolls back when it raises."""
        with self._writing.begin() as connection:
            take_pending(connection)  # by a transaction that was rolled back
            with writing(connection), self.states.watching(connection):
                yield connection
            subjects = take_pending(connection)
            self.relay.send(connection, subjects)
        self.change_events.publish(subjects)

    @contextmanager
    def write_alone(self) -> Iterator[Connection]:
        """Like `write`, one at a time over all replicas: for what must be made once."""
        with self.write() as connection:
            # SQLite's BEGIN IMMEDIATE already lets one in at a time.
            if self.dialect == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
            yield connection

    def sync(self) -> None:
        """Have what was committed survive a loss of power. SQLite's commits wait for no disk (synchronous=NORMAL)."""
        if self.dialect == "sqlite":
            connection = self.engine.raw_connection()
            try:
                connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").close()
            finally:
                connection.close()

    def close(self) -> None:
        """Return every pooled connection to the operating system, and release the waiters for change events."""
        self.relay.stop()
        self.change_events.close()
        self.engine.dispose()


def _create_engine(url: str) -> Engine:
    engine = open_engine(url, pool_size=_POOL_SIZE, max_overflow=_POOL_OVERFLOW)
    let_one_write(engine)
    watch(engine)
    count_statements(engine)
    return engine


def open_engine(url: str, **options: Any) -> Engine:
    """An engine whose connections are set up alike; on SQLite they begin as the option `zcbus_begin` says."""
    # An error's text must not carry values: they may be secrets, and errors go to logs.
    options["hide_parameters"] = True
    if make_url(url).get_backend_name() == "sqlite":
        return _create_sqlite_engine(url, options)
    return create_engine(url, pool_pre_ping=True, **options)


def _create_sqlite_engine(url: str, options: dict[str, Any]) -> Engine:
    database = make_url(url).database
    if database:
        Path(database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Only its owner may read the store; SQLite gives its side files the same mode.
        Path(database).touch(mode=0o600)
    engine = create_engine(url, connect_args={"check_same_thread": False}, **options)
    event.listen(engine, "connect", _prepare_sqlite_connection)
    event.listen(engine, "begin", _begin_on_sqlite)
    return engine


def _reading_options(engine: Engine) -> dict[str, Any]:
    return {"postgresql_readonly": True} if engine.dialect.name == "postgresql" else {}


def _prepare_sqlite_connection(dbapi_connection: Any, _record: object) -> None:
    # The driver's own transaction handling is switched off: `_begin_on_sqlite` says BEGIN itself.
    dbapi_connection.isolation_level = None
    dbapi_connection.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}").close()
    _use_write_ahead_log(dbapi_connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        dbapi_connection.execute(f"PRAGMA {pragma}").close()


def _use_write_ahead_log(dbapi_connection: Any) -> None:
    """Have readers and the writer not wait for each other. Raises the driver's error if the file stays locked."""
    # SQLite's busy handler is not asked for this step, though others lock a new file for the same purpose: wait here.
    deadline = time.monotonic() + _BUSY_TIMEOUT_MS / 1000
    for pause in growing_pauses(first=0.005, limit=0.1):
        try:
            dbapi_connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() + pause > deadline:
                raise
            time.sleep(pause)
        else:
            return


def _begin_on_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("zcbus_begin", "BEGIN"))
