"""Cassandra: transactions that a kill cuts between their statements, leftovers, tables of others, and the connection
test."""

from typing import Any

import pyarrow as pa
import pytest

from tests.servers.cassandra import CassandraServer
from zcbus.connectors.cassandra.spec import CassandraOptions
from zcbus.connectors.cassandra.tables import Tables
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing, TableRefused
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
NUMBER, TEXT = DataType(Kind.INT32, "integer"), DataType(Kind.TEXT, "text")


def table(name: str, key: DataType = NUMBER) -> TargetTable:
    columns = (Column("id", key, False), Column("v", TEXT))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    target = TableName("cassandra", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", columns, ("id",)))


def rows(*values: tuple[str, str | None]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"id": number, "v": text} for number, text in values])


def opened(options: CassandraOptions) -> TargetSession:
    return connector("cassandra").target(options).open()


def found(server: CassandraServer, options: CassandraOptions, name: str) -> dict[int, str | None]:
    """Read without the connector."""
    return {row["id"]: row["v"] for row in server.rows(options.keyspace, name)}


@pytest.fixture
def options(cassandra_server: CassandraServer) -> CassandraOptions:
    return cassandra_server.options(cassandra_server.fresh_database("at_once"))


@pytest.mark.parametrize(("size", "carried_out"), [(1, 0), (1, 1), (600_000, 1)])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    cassandra_server: CassandraServer,
    options: CassandraOptions,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    carried_out: int,
) -> None:
    """Behind the write that decides it, before any table or only one of them has its rows."""
    names, text = ("a", "b"), "x" * size
    carry_out, calls = Tables.carry_out, list[Any]()

    def dies(*given: Any) -> None:
        if len(calls) == carried_out:
            raise KeyboardInterrupt
        calls.append(given)
        carry_out(*given)

    with opened(options) as session:
        session.prepare_store()
        for name in names:
            session.create_table(table(name), CleanMode.DROP)
            session.load(table(name), rows(("1", text), ("2", "gone")))
        session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        monkeypatch.setattr(Tables, "carry_out", dies)
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
        assert [len(found(cassandra_server, options, name)) for name in names] == [2 * carried_out, 0]
        with opened(options) as successor:
            assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
            assert [found(cassandra_server, options, name) for name in names] == [{1: text, 2: "gone"}] * 2
            successor.upsert(table("b"), rows(("1", None)))
            successor.delete(table("b"), rows(("2", "")).select(["id"]))
            successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
            successor.commit()
        for late in calls:
            # The leftover resumes where it was: what it sends is older than what is there, and than what was deleted.
            carry_out(late[0], type(late[1])("b", late[1].data), late[2])
        assert found(cassandra_server, options, "b") == {1: None}
        session.upsert(table("b"), rows(("1", "of a leftover")))
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
    left = cassandra_server.rows_of("SELECT number FROM zcbus_parts", options.keyspace)
    assert left == [], "no part is left"


def test_the_second_of_two_sessions_from_one_state_is_refused(
    cassandra_server: CassandraServer, options: CassandraOptions
) -> None:
    with opened(options) as session, opened(options) as other:
        session.prepare_store()
        other.prepare_store()
        assert session.identity == other.identity
        session.create_table(table("a"), CleanMode.DROP)
        for one, text in ((session, "first"), (other, "second")):
            one.load(table("a"), rows(("1", text)))
            one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.commit()
    assert found(cassandra_server, options, "a") == {1: "first"}


def test_tables_of_others_and_names_that_no_table_has_are_refused(
    cassandra_server: CassandraServer, options: CassandraOptions
) -> None:
    cassandra_server.rows_of('CREATE TABLE "Theirs" (id int PRIMARY KEY, v text)', options.keyspace)
    with opened(options) as session:
        session.prepare_store()
        for name, reason in {"Theirs": "table-of-others", "表" * 30: "stored-name-long"}.items():
            for clean in (CleanMode.DROP, CleanMode.TRUNCATE):
                with pytest.raises(TableRefused) as refused:
                    session.create_table(table(name), clean)
                assert refused.value.facts["reason"] == reason
        for name in ("客户", "a_0x5f_b", "zcbus_state"):
            session.create_table(table(name), CleanMode.DROP)
            session.load(table(name), rows(("1", name)))
        session.commit()
        assert found(cassandra_server, options, "_0x5ba2__0x6237_") == {1: "客户"}
    assert found(cassandra_server, options, "Theirs") == {}
    with connector("cassandra").discoverer(options) as discoverer:
        names = [one.name.table for one in discoverer.tables()]
        assert sorted(names) == ["Theirs", "a_0x5f_b", "zcbus_state", "客户"]


def test_what_the_server_cannot_take_is_refused_before_a_transaction_is_decided(
    cassandra_server: CassandraServer, options: CassandraOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = table("t", TEXT)
    with opened(options) as session:
        session.prepare_store()
        session.create_table(texts, CleanMode.DROP)
        for key, value in (("", "x"), ("名" * 30_000, "x"), ("1", "x" * (9 << 20))):
            with pytest.raises(RowRefused):
                session.load(texts, rows((key, value)))
            session.rollback()
        # A key that no row can have is none that is missing.
        session.load(texts, rows(("名" * 20_000, "long"), ("a'b\"\0", "x" * (7 << 20))))
        session.commit()
        schema = session.describe([texts.name])[texts.name]
        writer = session._writer  # type: ignore[attr-defined]
        assert sorted(key for part in writer.keys(schema) for key in part) == [("a'b\"\0",), ("名" * 20_000,)]
        session.create_table(table("n"), CleanMode.DROP)
        with pytest.raises(RowRefused, match="load the table again"):
            session.alter_table(table("n"), Alteration(redefine=(MappedColumn("v", "v", NUMBER, True),)))
        session.rollback()
        cassandra_server.rows_of("DROP TABLE t", options.keyspace)
        monkeypatch.setattr("zcbus.connectors.writing.presence._CHECK_SECONDS", 0)
        with pytest.raises(TableMissing):
            session.upsert(texts, rows(("1", "lost")))


def test_a_dropped_column_does_not_come_back(options: CassandraOptions) -> None:
    """The server would hide what was written before the time, by its own clock, at which it was dropped."""
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("t"), CleanMode.DROP)
        session.alter_table(table("t"), Alteration(drop=("v",)))
        again = AddedColumn(MappedColumn("v", "v", TEXT, True), None)
        with pytest.raises(RowRefused, match="dropped before"):
            session.alter_table(table("t"), Alteration(add=(again,)))


def test_the_first_column_of_a_key_may_be_the_partition_key(
    cassandra_server: CassandraServer, options: CassandraOptions
) -> None:
    columns = (Column("a", NUMBER, False), Column("b", TEXT, False))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    name = TableName("cassandra", "t")
    wanted = TargetTable(name, mapped, ("a", "b"), TableSchema(name, "postgresql", columns, ("a", "b")))
    clustered = cassandra_server.options(options.keyspace, partition="first-column")
    with opened(clustered) as session:
        session.prepare_store()
        session.create_table(wanted, CleanMode.DROP)
        session.load(wanted, pa.RecordBatch.from_pylist([{"a": "1", "b": one} for one in ("x", "", "y")]))
        session.delete(wanted, pa.RecordBatch.from_pylist([{"a": "1", "b": "y"}]))
        session.commit()
    assert cassandra_server.rows_of("SELECT a, b FROM t WHERE a = 1", options.keyspace) == [(1, ""), (1, "x")]


def test_the_connection_test_says_what_is_wrong(
    cassandra_server: CassandraServer, options: CassandraOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    tester = connector("cassandra").tester()

    def results(**fields: Any) -> dict[str, bool]:
        given = cassandra_server.options(options.keyspace, **fields)
        return {one.item: one.ok for one in tester.test(given, "target")}

    assert results() == dict.fromkeys(("reachable", "login", "version", "database", "permissions"), True)
    assert results(password="wrong") == {"reachable": True, "login": False}
    assert results(keyspace="nowhere") == {"reachable": True, "login": True, "version": True, "database": False}
    assert results(port=1) == {"reachable": False}
    everything = results()
    assert results(tls="require") == everything
    assert results(tls="verify-full") == {"reachable": True, "login": False}
    monkeypatch.setenv("SSL_CERT_FILE", str(cassandra_server.certificate))
    assert results(tls="verify-full", host="localhost") == everything
