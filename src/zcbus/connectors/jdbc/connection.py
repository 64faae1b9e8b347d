"""Connections by a driver: statements with bound texts, and an end that another thread can bring about."""

import contextlib
import os
import socket
import threading
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from zcbus.connectors.errors import SourceUnavailable, TargetUnavailable
from zcbus.connectors.jdbc import jvm
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.drivers import driver_files
from zcbus.connectors.jdbc.errors import translate, translated
from zcbus.connectors.jdbc.options import JdbcOptions
from zcbus.connectors.jdbc.statements import Row, Value
from zcbus.connectors.roles import Side
from zcbus.kit import network
from zcbus.kit.keepalive import enable_keepalive

_LOGIN_SECONDS = 8.0
_FETCHED = 1000
_READ_COMMITTED = 2
_connecting = threading.Lock()
"""A new connection's socket is found by comparing those before and after."""


class Connection:
    """One connection, without autocommit. Values are texts, bytes or None. Raises errors of connectors.

    Context manager: leaving closes the connection, and the server rolls back.
    """

    def __init__(self, dialect: Dialect, options: JdbcOptions, side: Side) -> None:
        self.dialect, self.options, self.side = dialect, options, side
        self._connection, self._sockets = _connect(dialect, options, side)
        try:
            with self.translated():
                self._connection.setAutoCommit(False)
                self._connection.setTransactionIsolation(_READ_COMMITTED)
            for statement in dialect.session:
                self.execute(statement.format(wait=options.lock_wait * 1000))
            self.commit()  # some databases undo settings with the transaction that has them
        except BaseException:
            self.close()
            raise

    def translated(self, of: str = "") -> contextlib.AbstractContextManager[None]:
        """Translate errors of the driver; `of`: the table that statements are about."""
        return translated(self.dialect, self.options, self.side, of)

    def execute(self, sql: str, values: Sequence[Value] = (), of: str = "") -> int:
        """Run a statement; returns how many rows it changed."""
        with self.translated(of), self._prepared(sql) as statement:
            _bind(statement, values)
            return max(0, int(statement.executeUpdate()))

    def execute_many(self, sql: str, rows: Sequence[Sequence[Value]], of: str = "") -> list[int]:
        """Run a statement for each row; returns how many rows each changed."""
        if not rows:
            return []
        with self.translated(of), self._prepared(sql) as statement:
            for row in rows:
                _bind(statement, row)
                statement.addBatch()
            return [int(count) for count in statement.executeBatch()]

    def rows(self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = "") -> list[Row]:
        """All rows of a query; `binary`: which columns are bytes."""
        return [row for part in self.stream(sql, values, binary, of) for row in part]

    def stream(
        self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = ""
    ) -> Generator[list[Row], None, None]:
        """The rows of a query in parts as they arrive."""
        with self.translated(of), self._prepared(sql) as statement:
            statement.setFetchSize(_FETCHED)
            _bind(statement, values)
            found = statement.executeQuery()
            width = int(found.getMetaData().getColumnCount())
            read = _reader(found, [number < len(binary) and binary[number] for number in range(width)])
            part: list[Row] = []
            while found.next():
                part.append(read())
                if len(part) == _FETCHED:
                    yield part
                    part = []
            if part:
                yield part

    def metadata(self, call: str, *arguments: object, columns: Sequence[str]) -> list[tuple[str | None, ...]]:
        """Rows of a call of java.sql.DatabaseMetaData."""
        with self.translated():
            found = getattr(self._connection.getMetaData(), call)(*arguments)
            described = found.getMetaData()
            labels = [str(described.getColumnLabel(at + 1)).upper() for at in range(described.getColumnCount())]
            # Older drivers lack the columns that Java added later.
            places = [labels.index(name) + 1 if name in labels else 0 for name in columns]
            rows = []
            while found.next():
                rows.append(tuple(found.getString(place) if place else None for place in places))
            found.close()
        return rows

    @property
    def version(self) -> str:
        """The product's version."""
        with self.translated():
            return str(self._connection.getMetaData().getDatabaseProductVersion())

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what happens within, and nothing else, where it fails."""
        with self.translated():
            savepoint = self._connection.setSavepoint()
        try:
            yield
        except BaseException:
            with self.translated():
                self._connection.rollback(savepoint)
            raise
        with self.translated():
            self._connection.releaseSavepoint(savepoint)

    def commit(self) -> None:
        with self.translated():
            self._connection.commit()

    def rollback(self) -> None:
        with self.translated():
            self._connection.rollback()

    def interrupt(self) -> None:
        """End the connection from another thread: a waiting call raises."""
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Never raises. Idempotent."""
        with contextlib.suppress(jvm.JavaError):
            if not self._connection.isClosed():
                self._connection.rollback()
        with contextlib.suppress(jvm.JavaError):
            self._connection.close()
        for one in self._sockets:
            one.close()
        self._sockets = []

    @contextlib.contextmanager
    def _prepared(self, sql: str) -> Iterator[Any]:
        statement = self._connection.prepareStatement(sql)
        try:
            yield statement
        finally:
            with contextlib.suppress(jvm.JavaError):
                statement.close()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()


def _bind(statement: Any, values: Sequence[Value]) -> None:
    for number, value in enumerate(values, 1):
        if isinstance(value, bytes):
            statement.setBytes(number, value)
        else:
            statement.setString(number, value)


def _reader(found: Any, binary: Sequence[bool]) -> Any:
    getters = [(found.getBytes if one else found.getString, number) for number, one in enumerate(binary, 1)]
    if not any(binary):
        text = found.getString
        numbers = range(1, len(binary) + 1)
        return lambda: tuple([text(number) for number in numbers])
    return lambda: tuple(_plain(get(number)) for get, number in getters)


def _plain(value: Any) -> Value:
    return value if value is None or isinstance(value, str) else bytes(value)


def _connect(dialect: Dialect, options: JdbcOptions, side: Side) -> tuple[Any, list[socket.socket]]:
    """A connection of the driver with duplicates of its sockets. Raises errors of connectors."""
    unavailable = SourceUnavailable if side == "source" else TargetUnavailable
    try:
        files = driver_files(options.driver, dialect.jar_names)
        name, driver = jvm.first_driver((dialect.driver, *dialect.others), files)
        address = network.addresses(options.host, options.port)[0]
    except (OSError, ValueError) as error:
        raise unavailable(kind=options.kind, address=options.address, detail=str(error)) from error
    host = f"[{address}]" if ":" in address else address
    url = dialect.others.get(name, dialect.url).format(
        host=host, address=address, port=options.port, database=options.database
    )
    names = {"user": options.user, "password": options.password, **dialect.properties, **_encryption(dialect, options)}
    with _connecting:
        before = set(_sockets_to(address, options.port))
        try:
            connection = _within(_LOGIN_SECONDS, lambda: driver.connect(url, jvm.properties(names)))
        except jvm.JavaError as error:
            raise translate(error, dialect, options, side) from None
        except TimeoutError:
            detail = f"no answer to the login within {_LOGIN_SECONDS:.0f} s"
            raise unavailable(kind=options.kind, address=options.address, detail=detail) from None
        new = set(_sockets_to(address, options.port)) - before
        sockets = [one for number in new for one in _duplicate(number)]
    for one in sockets:
        enable_keepalive(one)
    return connection, sockets


def _encryption(dialect: Dialect, options: JdbcOptions) -> dict[str, str]:
    """The driver's properties for the connection's choice. The URL has an address; a certificate has the name."""
    chosen = dialect.tls.get(str(options.document().get("tls", "")), {})
    return {name: value.format(host=options.host) for name, value in chosen.items()}


def _within(seconds: float, call: Any) -> Any:
    """The result of a call in another thread. Raises what it raises, TimeoutError."""
    result: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(call())
        except BaseException as error:  # noqa: BLE001
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not result:
        raise TimeoutError
    return result[0]


def _sockets_to(address: str, port: int) -> Iterator[int]:
    """File descriptors of this process's connections to an address."""
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
            for one in _duplicate(int(name)):
                with one, contextlib.suppress(OSError):
                    if _plain_address(one.getpeername()) == (address, port):
                        yield int(name)


def _plain_address(peer: Any) -> tuple[str, int] | None:
    """Java connects by IPv6 also to addresses of IPv4."""
    return (str(peer[0]).removeprefix("::ffff:"), int(peer[1])) if isinstance(peer, tuple) else None


def _duplicate(descriptor: int) -> list[socket.socket]:
    """The descriptor as a socket; none if it is something else."""
    try:
        copy = os.dup(descriptor)
    except OSError:
        return []
    try:
        return [socket.socket(fileno=copy)]
    except OSError:
        os.close(copy)
        return []
