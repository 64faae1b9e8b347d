"""MongoDB as a target: transactions that a kill cuts, leftovers, collections of others, and the connection test."""

import time
from typing import Any

import pyarrow as pa
import pytest

from tests.servers.mongodb import MongoDBServer
from zcbus.connectors.errors import DatabaseFailed, Fenced, RowRefused, TableMissing, TableRefused
from zcbus.connectors.mongodb import state
from zcbus.connectors.mongodb.spec import MongoDBOptions
from zcbus.connectors.mongodb.tables import Tables
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
NUMBER, TEXT = DataType(Kind.INT32, "integer"), DataType(Kind.TEXT, "text")


def table(name: str) -> TargetTable:
    columns = (Column("id", NUMBER, False), Column("v", TEXT))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    target = TableName("mongodb", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", columns, ("id",)))


def rows(*values: tuple[str, str | None]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"id": number, "v": text} for number, text in values])


def opened(options: MongoDBOptions) -> TargetSession:
    return connector("mongodb").target(options).open()


def found(server: MongoDBServer, options: MongoDBOptions, name: str) -> dict[int, str | None]:
    """Read without the connector."""
    return {row["id"]: row.get("v") for row in server.rows(options.database, name)}


@pytest.fixture
def options(mongodb_server: MongoDBServer) -> MongoDBOptions:
    return mongodb_server.options(mongodb_server.fresh_database("at_once"))


@pytest.mark.parametrize(("size", "carried_out"), [(1, 0), (1, 1), (600_000, 1)])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    mongodb_server: MongoDBServer,
    options: MongoDBOptions,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    carried_out: int,
) -> None:
    """Behind the write that decides it, before any table or only one of them has its rows."""
    names, text = ("a", "b"), "x" * size
    carry_out, calls = Tables.carry_out, list[Any]()

    def dies(*given: Any, **named: Any) -> None:
        if len(calls) == carried_out:
            raise KeyboardInterrupt
        calls.append(given)
        carry_out(*given, **named)

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
        assert [len(found(mongodb_server, options, name)) for name in names] == [2 * carried_out, 0]
        with opened(options) as successor:
            assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
            assert [found(mongodb_server, options, name) for name in names] == [{1: text, 2: "gone"}] * 2
            successor.upsert(table("b"), rows(("1", None)))
            successor.delete(table("b"), rows(("2", "")).select(["id"]))
            successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
            successor.commit()
            for late in calls:
                # The leftover resumes where it was: what it sends is older than what is there, and than what was
                # deleted.
                carry_out(late[0], type(late[1])("b", late[1].data), late[2], careful=False)
            assert found(mongodb_server, options, "b") == {1: None}
            assert [row["id"] for row in _read(options, "b")] == ["1"], "what stands for a deleted row is none"
            _let_the_time_pass(monkeypatch)
            successor.upsert(table("b"), rows(("3", "x")))
            successor.commit()
        session.upsert(table("b"), rows(("1", "of a leftover")))
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
    with mongodb_server.database(options.database) as database:
        assert sorted(one["_id"] for one in database["b"].find({})) == [1, 3], "nothing stands for the deleted row"
        kinds = {one.get("kind") for one in database["zcbus_state"].find({})}
    assert kinds <= {None, "table"}, "no part is left"


def _read(options: MongoDBOptions, name: str) -> list[dict[str, Any]]:
    with connector("mongodb").discoverer(options) as discoverer:
        (schema,) = discoverer.describe([TableName("mongodb", name)])
    with connector("mongodb").reader(options, "target") as reader:
        return [row for batch, _ in reader.read(schema, ("id",), None, 100) for row in batch.to_pylist()]


def _let_the_time_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """In which sessions are careful."""
    later = time.time_ns() // 1_000_000 + 2 * state._CAREFUL_MS
    monkeypatch.setattr(state, "now_ms", lambda: later)


def test_a_process_that_is_still_at_it_deletes_nothing_for_good(
    mongodb_server: MongoDBServer, options: MongoDBOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another session takes over meanwhile, and may send what it read before late."""
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "x"), ("2", "y")))
        session.commit()
        carry_out = Tables.carry_out

        def overtaken(*given: Any, **named: Any) -> None:
            carry_out(*given, **named)
            with mongodb_server.database(options.database) as database:
                until = {"careful": time.time_ns() // 1_000_000 + state._CAREFUL_MS}
                database["zcbus_state"].update_one({"_id": "done"}, {"$max": until})
            monkeypatch.undo()

        monkeypatch.setattr(Tables, "carry_out", overtaken)
        session.delete(table("a"), rows(("2", "")).select(["id"]))
        session.commit()
    with mongodb_server.database(options.database) as database:
        (gone,) = database["a"].find({"_id": 2})
    assert gone["_zcbus_gone"] is True
    assert found(mongodb_server, options, "a") == {1: "x"}


def test_the_second_of_two_sessions_from_one_state_is_refused(
    mongodb_server: MongoDBServer, options: MongoDBOptions
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
    assert found(mongodb_server, options, "a") == {1: "first"}


def test_collections_of_others_and_names_that_none_has_are_refused(
    mongodb_server: MongoDBServer, options: MongoDBOptions
) -> None:
    with mongodb_server.database(options.database) as database:
        database["theirs"].insert_one({"v": 1})
    with opened(options) as session:
        session.prepare_store()
        for name, reason in {"theirs": "table-of-others", "表" * 85: "stored-name-long"}.items():
            for clean in (CleanMode.DROP, CleanMode.TRUNCATE):
                with pytest.raises(TableRefused) as refused:
                    session.create_table(table(name), clean)
                assert refused.value.facts["reason"] == reason
        for name in ("客户", "a%b", "zcbus_state"):
            session.create_table(table(name), CleanMode.DROP)
            session.load(table(name), rows(("1", name)))
        session.commit()
        assert found(mongodb_server, options, "a%25b") == {1: "a%b"}
        assert found(mongodb_server, options, "%7Acbus_state") == {1: "zcbus_state"}
    with connector("mongodb").discoverer(options) as discoverer:
        assert sorted(one.name.table for one in discoverer.tables()) == ["a%b", "theirs", "zcbus_state", "客户"]


def test_a_dropped_collection_an_index_of_others_and_a_long_row(
    mongodb_server: MongoDBServer, options: MongoDBOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("t"), CleanMode.DROP)
        with pytest.raises(RowRefused, match="14 MiB"):
            session.load(table("t"), rows(("1", "x" * (15 << 20))))
        session.rollback()
        session.load(table("t"), rows(*((str(one), "x" * (3 << 20)) for one in range(3)), ("9", "x" * (13 << 20))))
        session.commit()
        assert len(found(mongodb_server, options, "t")) == 4
        with mongodb_server.database(options.database) as database:
            database.drop_collection("t")
        monkeypatch.setattr("zcbus.connectors.writing.presence._CHECK_SECONDS", 0)
        with pytest.raises(TableMissing):
            session.upsert(table("t"), rows(("1", "lost")))
        session.rollback()
        session.create_table(table("u"), CleanMode.DROP)
        with mongodb_server.database(options.database) as database:
            database["u"].create_index("v", unique=True)
        session.load(table("u"), rows(("1", "same"), ("2", "same")))
        with pytest.raises(DatabaseFailed, match="E11000"):
            session.commit()


def test_the_connection_test_says_what_is_wrong(
    mongodb_server: MongoDBServer, options: MongoDBOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    tester = connector("mongodb").tester()

    def results(**fields: Any) -> dict[str, bool]:
        given = mongodb_server.options(options.database, **fields)
        return {one.item: one.ok for one in tester.test(given, "target")}

    everything = dict.fromkeys(("reachable", "login", "version", "primary", "permissions"), True)
    assert results() == everything
    assert results(values="bson") == {**everything, "version": False}
    assert results(port=1) == {"reachable": False}
    secure = {"port": mongodb_server.tls_port, "host": "localhost"}
    assert results(**secure, tls="require") == everything
    assert results(**secure, tls="verify-full") == {"reachable": True, "login": False}
    monkeypatch.setenv("SSL_CERT_FILE", str(mongodb_server.certificate))
    assert results(**secure, tls="verify-full") == everything
