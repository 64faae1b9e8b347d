"""Connections by JDBC drivers: what the test of a connection finds, and what ends a connection."""

import contextlib
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from tests.servers.jdbc import DriversFolder, H2Server
from tests.servers.maven import ServerNotAvailable, archive_of
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.h2.dialect import H2_DIALECT
from zcbus.connectors.jdbc import jvm
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
_NUMBER = DataType(Kind.INT32, "integer")


class _Ended(Exception):
    """The process."""


def found(server: H2Server, **changes: object) -> list[tuple[str, bool, str]]:
    """Checks with their results and advices."""
    options = replace(server.options(), **changes)
    return [(one.item, one.ok, one.advice) for one in connector("h2").tester().test(options, "source")]


PASSED = [("reachable", True, ""), ("java", True, ""), ("driver", True, "")]


def test_a_usable_connection_passes_every_check(h2_server: H2Server) -> None:
    assert found(h2_server) == [*PASSED, ("login", True, ""), ("version", True, "")]


@pytest.mark.parametrize(
    ("changes", "advice"),
    [({"password": "wrong"}, "account"), ({"database": "absent"}, "database")],
    ids=["password", "database"],
)
def test_a_refused_login_names_its_reason(h2_server: H2Server, changes: dict[str, object], advice: str) -> None:
    assert found(h2_server, **changes) == [*PASSED, ("login", False, advice)]


def test_a_missing_driver_lists_those_that_there_are(h2_server: H2Server, drivers_folder: DriversFolder) -> None:
    options = replace(h2_server.options(), driver="other.jar")
    failed = connector("h2").tester().test(options, "source")[-1]
    assert (failed.item, failed.ok, failed.advice) == ("driver", False, "driver")
    assert str(drivers_folder.folder) in failed.detail
    assert "h2" in failed.detail


def test_a_closed_port_is_reported_before_java_starts(h2_server: H2Server) -> None:
    assert found(h2_server, port=1) == [("reachable", False, "address")]


def test_an_interrupted_connection_ends_its_calls(h2_server: H2Server) -> None:
    with Connection(H2_DIALECT, h2_server.options(), "source") as connection:
        assert connection.rows("SELECT 1") == [("1",)]
        connection.interrupt()
        with pytest.raises(SourceUnavailable):
            connection.rows("SELECT 2")


VENDORS = {
    "sqlserver": ("com.microsoft.sqlserver:mssql-jdbc:12.8.1.jre11", {"serverName": "::1", "databaseName": "shop"}),
    "oracle": ("com.oracle.database.jdbc:ojdbc11:23.5.0.24.07", {"database": "//[::1]:4444/shop"}),
    "db2": ("com.ibm.db2:jcc:11.5.9.0", {}),
    "dameng": ("com.dameng:DmJdbcDriver18:8.1.3.140", {"port": "4444", "schema": "shop"}),
    "kingbase": ("cn.com.kingbase:kingbase8:9.0.0", {}),
    "gaussdb": ("org.opengauss:opengauss-jdbc:5.1.0", {}),
}
"""Kind → its vendor's driver, and what that reads in the address."""


@pytest.mark.wide
@pytest.mark.soak(but=["sqlserver"])
@pytest.mark.parametrize("kind", VENDORS)
def test_the_vendor_s_driver_reads_the_address(kind: str) -> None:
    artifact, expected = VENDORS[kind]
    try:
        jar = archive_of(f"{artifact}:jar")
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    made = connector(kind)
    assert isinstance(made, JdbcConnector)
    assert jar.name.lower().startswith(made.dialect.jar_names)
    name, driver = jvm.first_driver((made.dialect.driver, *made.dialect.others), [jar])
    url = made.dialect.others.get(name, made.dialect.url).format(
        host="[::1]", address="::1", port=4444, database="shop"
    )
    assert driver.acceptsURL(url)
    read = {str(one.name): str(one.value) for one in driver.getPropertyInfo(url, jvm.properties({}))}
    assert {name: read[name] for name in expected} == expected


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_process_that_ends_leaves_no_column_without_values(
    h2_server: H2Server, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = TableSchema(TableName("public", f"grown_{steps}"), "postgresql", (Column("id", _NUMBER),), ("id",))
    columns = (MappedColumn("id", "id", _NUMBER, False),)
    table = TargetTable(schema.name, columns, ("id",), schema)
    grown = replace(
        table,
        columns=(*columns, MappedColumn("n", "n", _NUMBER)),
        source_schema=replace(schema, columns=(*schema.columns, Column("n", _NUMBER, initial_known=True))),
    )
    change = Alteration(add=(AddedColumn(grown.columns[-1], "7"),))
    execute, done = Connection.execute, iter(range(100))

    def ending(one: Connection, statement: str, *given: Any, **named: Any) -> Any:
        if statement.startswith(("ALTER", "UPDATE")) and next(done) >= steps:
            raise _Ended
        return execute(one, statement, *given, **named)

    target = connector("h2").target(h2_server.options())
    with target.open() as session, monkeypatch.context() as patched:
        session.create_table(table, CleanMode.NONE)
        session.load(table, pa.RecordBatch.from_pydict({"id": ["1", "2"]}))
        session.commit()
        patched.setattr(Connection, "execute", ending)
        with contextlib.suppress(_Ended):
            session.alter_table(grown, change)
    with target.open() as session:
        session.alter_table(grown, change)
    assert h2_server.rows(f'SELECT "id", "n" FROM "public"."grown_{steps}" ORDER BY 1') == [(1, 7), (2, 7)]
