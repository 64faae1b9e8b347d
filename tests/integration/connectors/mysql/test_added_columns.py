"""Columns added to a target table hold the value of old rows, wherever the process ended on the way."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.integration.connectors.mysql.support import batch, describe, target_table
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
_NUMBERS = DataType(Kind.ARRAY, "integer[]", element=DataType(Kind.INT32, "integer"))
_MOMENT = DataType(Kind.TIMESTAMP_TZ, "timestamp with time zone", precision=6)


@pytest.fixture
def database(mariadb_server: MariaDBServer) -> Iterator[str]:
    name = mariadb_server.fresh_database()
    yield name
    mariadb_server.drop_database(name)


class _Ended(Exception):
    """The process."""


def _with_column(server: MariaDBServer, database: str, data: DataType) -> TargetTable:
    """A table with two rows, and what it is to become."""
    server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    table = target_table(describe(server.options(database), "t"), database)
    with connector().target(server.options(database)).open() as session:
        session.load(table, batch(id=["1", "2"]))
        session.commit()
    column = Column("x", data, initial_known=True)
    schema = replace(table.source_schema, dialect="postgresql", columns=(*table.source_schema.columns, column))
    return replace(table, columns=(*table.columns, MappedColumn("x", "x", data)), source_schema=schema)


@pytest.mark.parametrize(
    ("data", "value", "stored"),
    [
        (_NUMBERS, "{1,NULL}", "[1,null]"),
        (_MOMENT, "2024-01-02 03:04:05.5+00", "2024-01-02 03:04:05.500000"),
        (DataType(Kind.TIMESTAMP, "timestamp(0)", precision=0), "infinity", "9999-12-31 23:59:59"),
        (DataType(Kind.DATE, "date"), "-infinity", "0000-00-00"),
        (DataType(Kind.BIT, "bit(5)", length=5, fixed=True), "10101", "\x15"),
        (DataType(Kind.TEXT, "text"), "it's \\ 中文", "it's \\ 中文"),
        (DataType(Kind.BOOLEAN, "boolean"), "t", "1"),
        (DataType(Kind.TEXT, "text"), None, None),
    ],
    ids=lambda value: value.native if isinstance(value, DataType) else "",
)
def test_old_rows_hold_the_value(
    mariadb_server: MariaDBServer, database: str, data: DataType, value: str | None, stored: str | None
) -> None:
    table = _with_column(mariadb_server, database, data)
    with connector().target(mariadb_server.options(database)).open() as session:
        for _ in range(2):
            session.alter_table(table, Alteration(add=(AddedColumn(table.columns[-1], value),)))
    assert mariadb_server.rows("SELECT convert(x USING utf8mb4) FROM t", database) == [(stored,), (stored,)]
    default = "SELECT column_default FROM information_schema.columns WHERE table_schema = %s AND column_name = 'x'"
    assert mariadb_server.rows(default, database, (database,)) in ([(None,)], [("NULL",)])


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_process_that_ends_leaves_no_column_without_values(
    mariadb_server: MariaDBServer, database: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = _with_column(mariadb_server, database, _NUMBERS)
    change = Alteration(add=(AddedColumn(table.columns[-1], "{7}"),))
    execute, done = Session.execute, iter(range(100))

    def ending(session: Session, statement: str, *, table: str = "") -> object:
        if next(done) >= steps:
            raise _Ended
        return execute(session, statement, table=table)

    with connector().target(mariadb_server.options(database)).open() as session, monkeypatch.context() as patched:
        patched.setattr(Session, "execute", ending)
        with contextlib.suppress(_Ended):
            session.alter_table(table, change)
    with connector().target(mariadb_server.options(database)).open() as session:
        session.alter_table(table, change)
    assert mariadb_server.rows("SELECT * FROM t", database) == [(1, "[7]"), (2, "[7]")]
