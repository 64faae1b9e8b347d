"""ClickHouse: transactions that a kill cuts between their statements, leftovers, and tables of others."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest

from tests.servers.clickhouse import ClickHouseServer
from zcbus.connectors.clickhouse.check import ClickHouseTester
from zcbus.connectors.clickhouse.parts import Part
from zcbus.connectors.clickhouse.spec import ClickHouseOptions
from zcbus.connectors.clickhouse.state import StateTables
from zcbus.connectors.clickhouse.tables import Tables
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing, TableRefused
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
NUMBER, TEXT = DataType(Kind.INT32, "integer"), DataType(Kind.TEXT, "text")


def table(name: str, key: DataType = NUMBER) -> TargetTable:
    columns = (Column("id", key, False), Column("v", TEXT))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    target = TableName("clickhouse", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", columns, ("id",)))


def rows(*values: tuple[str, str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"id": number, "v": text} for number, text in values])


def opened(options: ClickHouseOptions) -> TargetSession:
    return connector("clickhouse").target(options).open()


def found(server: ClickHouseServer, options: ClickHouseOptions, name: str) -> dict[int, str]:
    """Read without the connector."""
    return {row["id"]: row["v"] for row in server.rows(options.database, name)}


def staged_tables(server: ClickHouseServer, options: ClickHouseOptions) -> list[str]:
    return server.ask("SHOW TABLES LIKE 'zcbus_load%'", options.database).split()


@pytest.fixture
def options(clickhouse_server: ClickHouseServer) -> Iterator[ClickHouseOptions]:
    name = clickhouse_server.fresh_database("at_once")
    yield clickhouse_server.options(name)
    clickhouse_server.drop_database(name)


@pytest.mark.parametrize(("size", "carried_out"), [(1, 0), (1, 1), (200_000, 1), (2_000_000, 0), (2_000_000, 1)])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    clickhouse_server: ClickHouseServer,
    options: ClickHouseOptions,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    carried_out: int,
) -> None:
    """Behind the row that decides it, before any table or only one of them has its rows. Large parts are rows of their
    own, larger ones tables. The server is killed besides."""
    names, text = ("a", "b"), "x" * size
    insert, calls = Tables.insert, list[tuple[Tables, Part, int]]()

    def dies(*given: Any) -> bool:
        if len(calls) == carried_out:
            raise KeyboardInterrupt
        calls.append(given)
        return insert(*given)

    with opened(options) as session:
        session.prepare_store()
        for name in names:
            session.create_table(table(name), CleanMode.DROP)
            session.load(table(name), rows(("1", text), ("2", "gone")))
        session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        monkeypatch.setattr(Tables, "insert", dies)
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
        assert [len(found(clickhouse_server, options, name)) for name in names] == [2 * carried_out, 0]
        clickhouse_server.kill()
        clickhouse_server.start()
        with opened(options) as successor:
            assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
            assert [found(clickhouse_server, options, name) for name in names] == [{1: text, 2: "gone"}] * 2
            successor.upsert(table("b"), rows(("1", "next")))
            successor.delete(table("b"), rows(("2", "")).select(["id"]))
            successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
            successor.commit()
        # The leftover resumes where it was: what it sends is older than what is there, and than what was deleted.
        for tables, part, version in calls:
            assert insert(tables, replace(part, table="b"), version) is not bool(part.staged)
        assert found(clickhouse_server, options, "b") == {1: "next"}
        session.upsert(table("b"), rows(("1", "of a leftover")))
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
    assert clickhouse_server.ask("SELECT count() FROM zcbus_parts", options.database) == "0\n", "no part is left"
    assert staged_tables(clickhouse_server, options) == []


def test_the_second_of_two_sessions_from_one_state_is_refused(
    clickhouse_server: ClickHouseServer, options: ClickHouseOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the server has forgotten which tokens it took: so many commits later."""
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
        store = session._writer._store  # type: ignore[attr-defined]
        head = {"id": store.id, "first": 1, "last": 0, "checkpoints": [], "holds": {}, "parts": [], "transaction": ""}
        number = store.read().number
        assert not store._insert(number, number - 1, head), "another one follows that commit"
        assert not store._insert(number - 900, number - 901, head), "it is of long ago"
        monkeypatch.setattr("zcbus.connectors.clickhouse.state._TIDY_EVERY", 1)
        for version in (2, 3):
            session.write_checkpoints([Checkpoint("s", "", version, "{}")])
            session.commit()
        assert [one.version for one in other.checkpoints("s")] == [3]
    assert found(clickhouse_server, options, "a") == {1: "first"}


def test_tables_of_others_and_what_a_table_cannot_take(
    clickhouse_server: ClickHouseServer, options: ClickHouseOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    clickhouse_server.ask("CREATE TABLE theirs (x Int32) ENGINE = MergeTree ORDER BY x", options.database)
    texts, odd = table("t", TEXT), "a'b\\`\n名\0"
    with opened(options) as session:
        session.prepare_store()
        for name in ("theirs", "zcbus_state"):
            for clean in (CleanMode.DROP, CleanMode.TRUNCATE):
                with pytest.raises(TableRefused) as refused:
                    session.create_table(table(name), clean)
                assert refused.value.facts["reason"] == "table-of-others"
        session.create_table(texts, CleanMode.DROP)
        session.load(texts, rows(("", "empty"), (odd, odd)))
        session.commit()
        session.update(texts, rows((odd, "")).select(["id"]), rows(("", "changed")).select(["v"]))
        session.commit()
        schema = session.describe([texts.name])[texts.name]
        writer = session._writer  # type: ignore[attr-defined]
        assert writer.rows(schema, [(odd,), ("",), ("'",)]) == [
            {"id": odd, "v": "changed"},
            {"id": "", "v": "empty"},
            None,
        ]
        renamed = MappedColumn("id", "id2", TEXT, False)
        with pytest.raises(RowRefused, match="load the table again"):
            session.alter_table(texts, Alteration(rename=(("id", renamed),)))
        with connector("clickhouse").discoverer(options) as discoverer:
            assert [one.name.table for one in discoverer.tables()] == ["t"]
        clickhouse_server.ask("DROP TABLE t", options.database)
        monkeypatch.setattr("zcbus.connectors.writing.presence._CHECK_SECONDS", 0)
        with pytest.raises(TableMissing):
            session.upsert(texts, rows(("1", "lost")))


def test_a_wide_table(options: ClickHouseOptions) -> None:
    """Its structure, in a statement, is longer than what a server takes by default."""
    columns = (Column("id", NUMBER, False), *(Column(f"列 {number}", TEXT) for number in range(1500)))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    name = TableName("clickhouse", "wide")
    wide = TargetTable(name, mapped, ("id",), TableSchema(name, "postgresql", columns, ("id",)))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(wide, CleanMode.DROP)
        assert session.describe([name])[name].names == wide.source_schema.names


def test_connection_errors_have_their_advice(clickhouse_server: ClickHouseServer, options: ClickHouseOptions) -> None:
    def failed(**fields: Any) -> list[tuple[str, str]]:
        results = ClickHouseTester().test(replace(options, **fields), "target")
        return [(one.item, one.advice) for one in results if not one.ok]

    items = [one.item for one in ClickHouseTester().test(options, "target")]
    assert items == ["reachable", "login", "version", "database", "permissions"]
    assert failed() == []
    assert failed(password="wrong") == [("login", "account")]
    assert failed(port=1) == [("reachable", "address")]
    assert failed(database="nowhere") == [("database", "database")]


def large(*keys: str) -> pa.RecordBatch:
    """Rows that are staged."""
    return rows(*((key, key * 1_200_000) for key in keys))


def test_rows_of_a_refused_transaction_leave_no_table(
    clickhouse_server: ClickHouseServer, options: ClickHouseOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those of a killed process go a day later, but for tables of others with such a name."""
    with opened(options) as session, opened(options) as other:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for one, key in ((session, "1"), (other, "2")):
            one.load(table("a"), large(key))
            one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.commit()
        assert staged_tables(clickhouse_server, options) == []
        monkeypatch.setattr(StateTables, "_insert", Mock(side_effect=KeyboardInterrupt))
        session.load(table("a"), large("3"))
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
        theirs = "zcbus_load_theirs"
        clickhouse_server.ask(f"CREATE TABLE {theirs} (x Int32) ENGINE = MergeTree ORDER BY x", options.database)
        session.prepare_store()
        assert len(staged_tables(clickhouse_server, options)) == 2
        monkeypatch.setattr("zcbus.connectors.clickhouse.state._ORPHAN_SECONDS", -60)
        session.prepare_store()
        assert staged_tables(clickhouse_server, options) == [theirs]
        with connector("clickhouse").discoverer(options) as discoverer:
            assert [one.name.table for one in discoverer.tables()] == ["a"]
    assert found(clickhouse_server, options, "a").keys() == {1}


@pytest.mark.parametrize("change", ["ADD COLUMN w String DEFAULT 'new'", ""])
def test_staged_rows_of_a_table_that_others_have_changed_since(
    clickhouse_server: ClickHouseServer, options: ClickHouseOptions, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Files of another structure can not be linked. Without a change: the partition is another one."""
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), large("1"))
        monkeypatch.setattr(Tables, "insert", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
    if change:
        clickhouse_server.ask(f"ALTER TABLE a {change}", options.database)
    else:
        monkeypatch.setattr("zcbus.connectors.clickhouse.staging._PARTITION", "'none'")
    with opened(options) as session:
        session.checkpoints("s")
    assert clickhouse_server.rows(options.database, "a")[0]["id"] == 1
    assert staged_tables(clickhouse_server, options) == []
