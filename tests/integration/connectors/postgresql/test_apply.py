"""Rows arrive as they are, whatever the batch does to them."""

from collections.abc import Sequence
from dataclasses import replace

import psycopg
import pyarrow as pa
import pytest

from tests.integration.connectors.postgresql.conftest import Database
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.apply.session import PostgreSQLSession
from zcbus.connectors.postgresql.catalog.discover import PostgreSQLDiscoverer
from zcbus.connectors.postgresql.spec import PostgreSQLOptions
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetTable
from zcbus.model.schema import TableName
from zcbus.model.states import CleanMode, LoadType

pytestmark = pytest.mark.server


def target_table(options: ConnectionOptions, name: str, into: str | None = None) -> TargetTable:
    with PostgreSQLDiscoverer(options) as discoverer:
        (schema,) = discoverer.describe([TableName("public", name)])
    columns = tuple(MappedColumn(c.name, c.name, c.type, c.nullable) for c in schema.columns)
    return TargetTable(TableName("public", into or name), columns, schema.key(), schema)


def batch(**columns: Sequence[str | None] | Sequence[bytes | None]) -> pa.RecordBatch:
    arrays = [
        pa.array(values, pa.binary() if any(isinstance(value, bytes) for value in values) else pa.string())
        for values in columns.values()
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


@pytest.fixture(params=["replica", "ordinary"])
def options(request: pytest.FixtureRequest, database: Database) -> ConnectionOptions:
    """The superuser, and an owner who may not become a replica."""
    if request.param == "replica":
        return database.options
    user = f"owner_{database.name}"
    database.execute(f"CREATE ROLE {user} LOGIN PASSWORD 'x'; ALTER DATABASE {database.name} OWNER TO {user}")
    admin = database.options
    return PostgreSQLOptions(admin.host, admin.port, user, "x", admin.database)


def run(options: ConnectionOptions, sql: str) -> None:
    with psycopg.connect(
        host=options.host,
        port=options.port,
        user=options.user,
        password=options.password,
        dbname=options.database,
        autocommit=True,
    ) as connection:
        connection.execute(sql)


NASTY = ["plain", "tab\there", "line\nbreak\r", "back\\slash \\N", 'quo"te', "{curly,}", "'", "", None, "中文😀"]


@pytest.mark.wide
@pytest.mark.soak(but=["replica-postgres_server", "ordinary-postgres18_server"])
def test_very_large_rows_among_small_ones(options: ConnectionOptions, database: Database) -> None:
    run(options, "CREATE TABLE t (k int PRIMARY KEY, v text, b bytea)")
    large = [("tab\t\\\n中" * 1_500_000, b"\0\xff\\x" * 3_000_000), ("x" * 10_000_000, None), (None, b"\1" * 9_000_000)]
    rows = [*large, *((f"v{k}", b"b") for k in range(2000)), *large]
    keys = [str(k) for k in range(len(rows))]
    with PostgreSQLSession(options) as session:
        session.load(target_table(options, "t"), batch(k=keys, v=[v for v, _ in rows], b=[b for _, b in rows]))
        session.commit()
    assert database.rows("SELECT v, b FROM t ORDER BY k") == rows


def test_statements_write_where_copy_is_refused(database: Database) -> None:
    user = f"limited_{database.name}"
    database.execute(
        f"CREATE TABLE t (k int PRIMARY KEY, v text); CREATE ROLE {user} LOGIN PASSWORD 'x'; "
        f"GRANT ALL ON t TO {user}; ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (k < 100)"
    )
    options = replace(database.options, user=user, password="x")
    table = target_table(options, "t")
    with PostgreSQLSession(options) as session, pytest.raises(RowRefused, match="row-level security"):
        session.load(table, batch(k=["1"], v=["a"]))
    with PostgreSQLSession(replace(options, load_type=LoadType.STATEMENTS)) as session:
        session.load(table, batch(k=["1", "2"], v=["a", "b"]))
        session.upsert(table, batch(k=["2", "3"], v=["B", "C"]))
        session.delete(table, batch(k=["1"]))
        session.commit()
    assert database.rows("SELECT k, v FROM t ORDER BY k") == [(2, "B"), (3, "C")]


def test_text_and_bytes_pass_unharmed(options: ConnectionOptions, database: Database) -> None:
    run(options, "CREATE TABLE t (k text PRIMARY KEY, v text, b bytea)")
    keys = [f"key {value!r}" for value in NASTY]
    blobs: list[bytes | None] = [None if value is None else value.encode() + b"\0\xff" for value in NASTY]
    expected = sorted(zip(keys, NASTY, blobs, strict=True))
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        session.load(table, batch(k=list(keys), v=list(NASTY), b=blobs))
        session.commit()
        assert sorted(database.rows("SELECT k, v, b FROM t")) == expected
        session.upsert(table, batch(k=list(keys), v=list(reversed(NASTY)), b=blobs))
        session.commit()
        assert dict(database.rows("SELECT k, v FROM t")) == dict(zip(keys, reversed(NASTY), strict=True))
        session.update(table, batch(k=list(keys)), batch(v=list(NASTY)))
        assert session.delete(table, batch(k=[*keys[:3], "absent"])) == 3
        session.commit()
    assert sorted(database.rows("SELECT k, v, b FROM t")) == sorted(zip(keys[3:], NASTY[3:], blobs[3:], strict=True))


@pytest.mark.parametrize("disturbed", [False, True])
def test_rows_swap_unique_values(options: ConnectionOptions, database: Database, disturbed: bool) -> None:
    run(options, "CREATE TABLE t (a int, b int, u text NOT NULL UNIQUE, PRIMARY KEY (a, b))")
    run(options, "INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z')")
    if disturbed:
        run(
            options,
            "CREATE TABLE child (a int, b int, FOREIGN KEY (a, b) REFERENCES t); INSERT INTO child VALUES (1, 1)",
        )
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        session.upsert(table, batch(a=["1", "2", "4"], b=["1", "2", "4"], u=["y", "x", "w"]))
        session.commit()
        assert sorted(database.rows("SELECT * FROM t")) == [(1, 1, "y"), (2, 2, "x"), (3, 3, "z"), (4, 4, "w")]
        session.update(table, batch(a=["1", "2"], b=["1", "2"]), batch(u=["x", "y"]))
        session.commit()
    assert sorted(database.rows("SELECT * FROM t")) == [(1, 1, "x"), (2, 2, "y"), (3, 3, "z"), (4, 4, "w")]


def test_updates_change_keys_and_leave_other_columns(options: ConnectionOptions, database: Database) -> None:
    run(options, "CREATE TABLE t (k int PRIMARY KEY, v text, own text)")
    run(options, "INSERT INTO t VALUES (1, 'a', 'mine'), (2, 'b', 'mine')")
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        session.update(table, batch(k=["1", "2", "9"]), batch(k=["2", "3", "8"], v=["A", "B", "C"]))
        session.commit()
        assert sorted(database.rows("SELECT * FROM t")) == [(2, "A", "mine"), (3, "B", "mine")]
        narrow = TargetTable(table.name, table.columns[:2], table.key, table.source_schema)
        session.upsert(narrow, batch(k=["2", "5"], v=["Z", "new"]))
        session.commit()
    assert sorted(database.rows("SELECT * FROM t")) == [(2, "Z", "mine"), (3, "B", "mine"), (5, "new", None)]


def test_checkpoints_of_appliers_fence_leftover_writers(options: ConnectionOptions, database: Database) -> None:
    with PostgreSQLSession(options) as session, PostgreSQLSession(options) as other:
        assert session.checkpoints("s") == []
        session.prepare_store()
        other.prepare_store()
        session.write_checkpoints([Checkpoint("s", "1", 1, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.write_checkpoints([Checkpoint("s", "1", 1, "{}")])
        other.rollback()
        other.write_checkpoints([Checkpoint("s", "1", 2, '{"at": 7}')])
        other.commit()
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "1", 2, "{}")])
        session.rollback()
        session.write_checkpoints([Checkpoint("s", "2", 1, "{}")])
        session.rollback()
        assert session.checkpoints("s") == [Checkpoint("s", "1", 2, '{"at": 7}')]
        session.delete_checkpoints("s")
        assert session.checkpoints("s") == []
    assert database.rows("SELECT count(*) FROM zcbus.zcbus_lane") == [(0,)]


def test_create_table_in_every_mode(options: ConnectionOptions, database: Database) -> None:
    run(options, "CREATE TYPE mood AS ENUM ('sad', 'ok')")
    run(
        options,
        "CREATE TABLE t (k int PRIMARY KEY, v varchar(9) NOT NULL DEFAULT 'a''b', m mood DEFAULT 'ok', e text UNIQUE,"
        "n numeric(9,2)[] DEFAULT '{}', s serial NOT NULL UNIQUE); COMMENT ON COLUMN t.v IS 'it''s'",
    )
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t", into="copy")
        for clean in CleanMode:
            session.create_table(table, clean)
            session.create_table(table, clean)
            described = session.describe([table.name]).get(table.name)
            assert described is not None
            assert described.primary_key == ("k",)
            assert described.unique_keys == (("s",),)
            assert [c.type for c in described.columns] == [c.type for c in table.source_schema.columns]
            assert described.column("v").default == "'a''b'::character varying"
            assert described.column("v").comment == "it's"
            assert not described.column("s").identity
            session.load(table, batch(k=["1"], v=["x"], m=["sad"], e=["e"], n=["{1.00,NULL}"], s=["4"]))
            session.commit()
            session.create_table(table, CleanMode.NONE)
            assert database.rows("SELECT count(*) FROM copy") == [(1,)]
            session.create_table(table, CleanMode.ONLY_TRUNCATE)
            assert database.rows("SELECT count(*) FROM copy") == [(0,)]
        run(options, "DROP TABLE copy; CREATE TABLE copy (k int, v text, m mood, e text, n numeric[], s int)")
        session.create_table(table, CleanMode.TRUNCATE)
        described = session.describe([table.name]).get(table.name)
        assert described is not None
        assert described.primary_key == ("k",)


def test_a_table_made_for_a_load_gets_its_key_at_the_end(options: ConnectionOptions) -> None:
    run(options, "CREATE TABLE t (k int PRIMARY KEY, v text); CREATE TABLE dated (k date PRIMARY KEY)")
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t", into="copy")
        session.create_table(table, CleanMode.DROP, for_load=True)
        session.load(table, batch(k=["1", "2"], v=["x", None]))
        for _ in range(2):
            session.complete_table(table)
            session.commit()
            described = session.describe([table.name]).get(table.name)
            assert described is not None
            assert described.primary_key == ("k",)
        # Several dates of another database may be one here: such a key is compared row by row.
        dated = target_table(options, "dated")
        session.create_table(dated, CleanMode.DROP, for_load=True)
        described = session.describe([dated.name]).get(dated.name)
        assert described is not None
        assert described.primary_key == ("k",)


def test_missing_enum_types_are_made_and_grow(options: ConnectionOptions, database: Database) -> None:
    run(
        options,
        "CREATE SCHEMA kinds; CREATE TYPE kinds.\"Größe\" AS ENUM ('S', 'it''s');"
        'CREATE TABLE t (k int PRIMARY KEY, g kinds."Größe"[])',
    )
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        run(options, "DROP SCHEMA kinds CASCADE")
        session.create_table(table, CleanMode.DROP)
        session.load(table, batch(k=["1"], g=["{it's,S}"]))
        session.commit()
        run(options, "ALTER TYPE kinds.\"Größe\" RENAME VALUE 'S' TO 'small'")
        session.create_table(table, CleanMode.NONE)
        session.load(table, batch(k=["2"], g=["{S}"]))
        session.commit()
    assert database.rows("SELECT k, g::text FROM t ORDER BY k") == [(1, "{it's,small}"), (2, "{S}")]


def test_truncate_belongs_to_the_transaction(options: ConnectionOptions, database: Database) -> None:
    run(
        options, "CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE child (k int REFERENCES t); INSERT INTO t VALUES (1)"
    )
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        session.truncate(table)
        session.rollback()
        assert database.rows("SELECT * FROM t") == [(1,)]
        session.truncate(table)
        session.commit()
        assert database.rows("SELECT * FROM t") == []


def test_refused_rows_name_table_and_reason(options: ConnectionOptions, database: Database) -> None:
    run(options, "CREATE TABLE t (k int PRIMARY KEY, v varchar(3))")
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        with pytest.raises(RowRefused, match="value too long"):
            session.load(table, batch(k=["1"], v=["four"]))
        session.rollback()
        with pytest.raises(RowRefused, match="NUL character"):
            session.upsert(table, batch(k=["1"], v=["a\0"]))
        session.rollback()
        run(options, "INSERT INTO t VALUES (1, 'a')")
        with pytest.raises(RowRefused, match="value too long"):
            session.update(table, batch(k=["1"]), batch(v=["four"]))
        session.rollback()
        run(options, "DROP TABLE t")
        with pytest.raises(TableMissing):
            session.load(table, batch(k=["1"], v=["a"]))


def test_a_failed_transaction_cannot_be_committed(options: ConnectionOptions) -> None:
    run(options, "CREATE TABLE t (k int PRIMARY KEY)")
    with PostgreSQLSession(options) as session:
        table = target_table(options, "t")
        with pytest.raises(RowRefused):
            session.load(table, batch(k=["x"]))
        with pytest.raises(Exception, match="failed"):
            session.commit()
