"""The catalog's content as neutral schemas."""

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TableMissing
from zcbus.connectors.postgresql.catalog.discover import PostgreSQLDiscoverer
from zcbus.connectors.postgresql.connection.failures import ConnectionLost
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.spec import PostgreSQLOptions
from zcbus.model.schema import TableName
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server

EVERYTHING = """
CREATE TYPE mood AS ENUM ('sad', 'glücklich');
CREATE DOMAIN price AS numeric(8,2) CHECK (VALUE >= 0);
CREATE TYPE pair AS (a int, b text);
CREATE TABLE everything (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, serial_number serial,
  small int2, large int8 NOT NULL DEFAULT 7, flag bool, money_amount money,
  n numeric, n2 numeric(20,4), n3 numeric(5), f4 real, f8 float8,
  t text DEFAULT 'a''b', v varchar(30) COLLATE "C", c char(4), raw bytea,
  d date, ti time(3), tz timetz, ts timestamp, tsz timestamptz(0), span interval, span2 interval day to second(2),
  j json, jb jsonb, u uuid, m mood NOT NULL DEFAULT 'sad', b4 bit(4), vb varbit,
  ints int[], moods mood[][], prices price[], p price, x xml, net inet, pr pair, r int4range,
  doubled bigint GENERATED ALWAYS AS (large * 2) STORED);
COMMENT ON TABLE everything IS '一切';
COMMENT ON COLUMN everything.t IS 'text';
CREATE UNIQUE INDEX by_mood ON everything (m, large);
CREATE UNIQUE INDEX nullable ON everything (v);
CREATE UNIQUE INDEX partial ON everything (large) WHERE small > 3;
"""


def test_every_type(database: Database) -> None:
    database.execute(EVERYTHING)
    with PostgreSQLDiscoverer(database.options) as discoverer:
        (schema,) = discoverer.describe([TableName("public", "everything")])
    types = {column.name: column.type for column in schema.columns}
    assert "doubled" not in types
    assert types["small"] == DataType(Kind.INT16, "smallint")
    assert types["large"] == DataType(Kind.INT64, "bigint")
    assert types["flag"] == DataType(Kind.BOOLEAN, "boolean")
    assert types["money_amount"] == DataType(Kind.OTHER, "money")
    assert types["n"] == DataType(Kind.DECIMAL, "numeric")
    assert types["n2"] == DataType(Kind.DECIMAL, "numeric(20,4)", precision=20, scale=4)
    assert types["n3"] == DataType(Kind.DECIMAL, "numeric(5,0)", precision=5, scale=0)
    assert types["v"] == DataType(Kind.TEXT, "character varying(30)", length=30)
    assert types["c"] == DataType(Kind.TEXT, "character(4)", length=4, fixed=True)
    assert types["raw"] == DataType(Kind.BINARY, "bytea")
    assert types["ti"] == DataType(Kind.TIME, "time(3) without time zone", precision=3)
    assert types["tz"].kind == Kind.TIME_TZ
    assert types["ts"] == DataType(Kind.TIMESTAMP, "timestamp without time zone", precision=6)
    assert types["tsz"] == DataType(Kind.TIMESTAMP_TZ, "timestamp(0) with time zone", precision=0)
    assert types["span"] == DataType(Kind.INTERVAL, "interval", precision=6)
    assert types["span2"] == DataType(Kind.INTERVAL, "interval day to second(2)", precision=2)
    assert types["j"].kind == types["jb"].kind == Kind.JSON
    assert types["m"] == DataType(Kind.ENUM, "public.mood", values=("sad", "glücklich"))
    assert types["b4"] == DataType(Kind.BIT, "bit(4)", length=4, fixed=True)
    assert types["vb"] == DataType(Kind.BIT, "bit varying")
    assert types["ints"] == DataType(Kind.ARRAY, "integer[]", element=DataType(Kind.INT32, "integer"))
    assert types["moods"].native == "public.mood[]"
    assert types["moods"].element == types["m"]
    assert types["prices"] == DataType(Kind.ARRAY, "numeric(8,2)[]", element=types["p"])
    assert types["p"] == DataType(Kind.DECIMAL, "numeric(8,2)", precision=8, scale=2)
    assert [types[name].native for name in ("net", "pr", "r")] == ["inet", "public.pair", "int4range"]
    assert schema.primary_key == ("id",)
    assert schema.unique_keys == (("m", "large"),)
    assert schema.comment == "一切"
    assert schema.column("t").comment == "text"
    assert schema.column("t").default == "'a''b'::text"
    assert schema.column("v").collation == 'pg_catalog."C"'
    assert schema.column("id").identity
    assert schema.column("serial_number").identity
    assert schema.column("serial_number").default is None
    assert not schema.column("large").nullable
    assert schema.column("m").default == "'sad'::public.mood"


def test_schemas_tables_and_their_keys_are_listed(database: Database) -> None:
    database.execute(
        'CREATE SCHEMA "Größe"; CREATE TABLE "Größe"."a ""b" (i int PRIMARY KEY); CREATE VIEW v AS SELECT 1;'
        "CREATE UNLOGGED TABLE quick (i int NOT NULL UNIQUE);"
        "CREATE TABLE parts (i int, PRIMARY KEY (i)) PARTITION BY RANGE (i);"
        "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (100);"
        "INSERT INTO parts SELECT generate_series(1, 50); ANALYZE parts; ANALYZE parts_1;"
    )
    with PostgreSQLDiscoverer(database.options) as discoverer:
        assert discoverer.schemas() == ["Größe", "public"]
        tables = {table.name.table: table for table in discoverer.tables()}
        assert [table.name.table for table in discoverer.tables("Größe")] == ['a "b']
        (described,) = discoverer.describe([TableName("Größe", 'a "b')])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName("public", "absent")])
    assert described.name == TableName("Größe", 'a "b')
    assert set(tables) == {'a "b', "parts", "quick"}
    assert tables["parts"].estimated_rows == 50
    assert (tables["parts"].size_bytes or 0) > 0
    assert tables['a "b'].estimated_rows is None
    assert tables["quick"].refused == "unlogged-table"
    assert (tables["quick"].has_primary_key, tables["quick"].has_unique_key) == (False, True)


def test_six_thousand_tables_are_one_query(database: Database) -> None:
    with PostgreSQLDiscoverer(database.options) as discoverer:
        database.execute(
            "DO $$ BEGIN FOR i IN 1..300 LOOP EXECUTE format('CREATE TABLE t%s (i int PRIMARY KEY)', i);"
            " END LOOP; END $$"
        )
        tables = discoverer.tables()
        schemas = discoverer.describe([table.name for table in tables])
    assert len(tables) == len(schemas) == 300
    assert [schema.name for schema in schemas] == [table.name for table in tables]


def test_login_failures_say_whether_to_try_again(database: Database) -> None:
    good = database.options
    wrong = PostgreSQLOptions(good.host, good.port, good.user, "wrong", good.database)
    with pytest.raises(AccessDenied, match="password authentication failed"):
        PostgreSQLDiscoverer(wrong)
    absent = PostgreSQLOptions(good.host, good.port, good.user, good.password, "absent")
    with pytest.raises(AccessDenied, match="does not exist"):
        PostgreSQLDiscoverer(absent)
    closed = PostgreSQLOptions(good.host, 1, good.user, good.password, good.database)
    with pytest.raises(SourceUnavailable):
        PostgreSQLDiscoverer(closed)


def test_a_database_that_takes_no_connections_for_a_while_is_tried_again(database: Database) -> None:
    server, name = database.server, database.name
    server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    try:
        with pytest.raises(SourceUnavailable, match="not currently accepting connections"):
            PostgreSQLDiscoverer(database.options)
        with pytest.raises(ConnectionLost, match="not currently accepting connections"):
            WireConnection(database.options, replication=False)
    finally:
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
