"""OpenSearch: transactions that a kill cuts between their requests, leftovers, and indexes of others."""

import time
from typing import Any

import pyarrow as pa
import pytest

from tests.servers.opensearch import OpenSearchServer
from zcbus.connectors.errors import DatabaseFailed, Fenced, RowRefused, TableMissing, TableRefused
from zcbus.connectors.opensearch.documents import Part
from zcbus.connectors.opensearch.names import own_index
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.opensearch.state import StateIndex
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
    target = TableName("opensearch", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", columns, ("id",)))


def rows(*values: tuple[str, str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"id": number, "v": text} for number, text in values])


def opened(options: OpenSearchOptions) -> TargetSession:
    return connector("opensearch").target(options).open()


def found(server: OpenSearchServer, options: OpenSearchOptions, name: str) -> dict[int, str]:
    """Read without the connector."""
    return {row["id"]: row["v"] for row in server.rows(options.prefix, name)}


@pytest.fixture
def options(opensearch_server: OpenSearchServer) -> OpenSearchOptions:
    return opensearch_server.options(opensearch_server.fresh_database("at-once"))


@pytest.mark.parametrize(("size", "carried_out"), [(1, 0), (1, 1), (200_000, 1)])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    opensearch_server: OpenSearchServer,
    options: OpenSearchOptions,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    carried_out: int,
) -> None:
    """Behind the document that decides it, before any table or only one of them has its rows. Large parts are documents
    of their own."""
    names, text = ("a", "b"), "x" * size
    carry_out, calls = StateIndex.carry_out, list[Any]()

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
        monkeypatch.setattr(StateIndex, "carry_out", dies)
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
        assert [len(found(opensearch_server, options, name)) for name in names] == [2 * carried_out, 0]
        with opened(options) as successor:
            assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
            assert [found(opensearch_server, options, name) for name in names] == [{1: text, 2: "gone"}] * 2
            successor.upsert(table("b"), rows(("1", "next")))
            successor.delete(table("b"), rows(("2", "")).select(["id"]))
            successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
            successor.commit()
        # The leftover resumes where it was: what it sends is older than what is there, and than what was deleted.
        store = session._writer._store  # type: ignore[attr-defined]
        number = store.read().number - 1
        body = "\n".join(('"1"', '{"id":1,"v":"late"}', '"2"', '{"id":2,"v":"late"}'))
        carry_out(store, f"{options.prefix}b", Part("b", body), number)
        assert found(opensearch_server, options, "b") == {1: "next"}
        session.upsert(table("b"), rows(("1", "of a leftover")))
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
    index = own_index(options.prefix)
    opensearch_server.client.post(f"/{index}/_refresh").raise_for_status()
    stored = opensearch_server.client.get(f"/{index}/_search").json()["hits"]["hits"]
    assert sorted(hit["_id"] for hit in stored) == ["done", "head"], "no part is left"


def test_the_second_of_two_sessions_from_one_state_is_refused(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
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
    assert found(opensearch_server, options, "a") == {1: "first"}


def test_indexes_of_others_are_left_as_they_are(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    opensearch_server.client.put(f"/{options.prefix}a/_doc/1", json={"theirs": 1}).raise_for_status()
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("Orders"), CleanMode.DROP)
        for name in ("a", "ORDERS"):
            for clean in (CleanMode.DROP, CleanMode.TRUNCATE):
                with pytest.raises(TableRefused) as refused:
                    session.create_table(table(name), clean)
                assert refused.value.facts["reason"] == "index-of-others"
    with connector("opensearch").discoverer(options) as discoverer:
        assert [one.name.table for one in discoverer.tables()] == ["Orders", "a"]
    assert opensearch_server.rows(options.prefix, "a") == [{"theirs": 1}]


def test_documents_that_an_index_cannot_take_are_refused_before_they_are_sent(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    texts = table("t", TEXT)
    with opened(options) as session:
        session.prepare_store()
        session.create_table(texts, CleanMode.DROP)
        with pytest.raises(RowRefused, match="512 bytes"):
            session.load(texts, rows(("名" * 171, "x")))
        session.rollback()
        # A key that no row can have is none that is missing.
        session.delete(texts, rows(("名" * 171, "")).select(["id"]))
        session.load(texts, rows(("", "empty"), ("a:b%", "x"), ("名" * 170, "long")))
        session.commit()
        schema = session.describe([texts.name])[texts.name]
        writer = session._writer  # type: ignore[attr-defined]
        assert sorted(key for part in writer.keys(schema) for key in part) == [("",), ("a:b%",), ("名" * 170,)]
        session.create_table(table("n"), CleanMode.DROP)
        wanted = MappedColumn("id", "id", TEXT, False)
        with pytest.raises(RowRefused, match="load the table again"):
            session.alter_table(table("n"), Alteration(redefine=(wanted,)))


def test_parts_that_no_transaction_has_are_deleted(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    client, index = opensearch_server.client, own_index(options.prefix)
    with opened(options) as session:
        session.prepare_store()
        for name, age in (("part-old", 100_000), ("part-new", 10)):
            document = {"kind": "part", "made": int(time.time()) - age, "table": "a", "body": ""}
            client.put(f"/{index}/_doc/{name}", json=document).raise_for_status()
        session.prepare_store()
    assert [client.get(f"/{index}/_doc/{name}").status_code for name in ("part-old", "part-new")] == [404, 200]


def test_a_leftover_repeats_a_part_whose_documents_a_later_one_deleted(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both parts are of one transaction, which another session has carried out meanwhile."""
    monkeypatch.setattr("zcbus.connectors.opensearch.documents._PART_BYTES", 0)
    carry_out, calls = StateIndex.carry_out, list[Any]()

    def noted(*given: Any) -> None:
        calls.append(given)
        carry_out(*given)

    monkeypatch.setattr(StateIndex, "carry_out", noted)
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "first")))
        session.delete(table("a"), rows(("1", "")).select(["id"]))
        session.commit()
        assert len(calls) == 2
        carry_out(*calls[0])
    assert found(opensearch_server, options, "a") == {}


def test_changes_by_other_clients_to_documents_and_indexes(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents that were changed many times take the next change; deleted indexes are reported, closed ones wait;
    templates do not make answers less durable."""
    client, index = opensearch_server.client, f"{options.prefix}a"
    template = {"index_patterns": [f"{options.prefix}*"], "settings": {"index.translog.durability": "async"}}
    client.put(f"/_template/{options.prefix}", json=template).raise_for_status()
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for one in (index, own_index(options.prefix)):
            (settings,) = client.get(f"/{one}/_settings").json().values()
            assert settings["settings"]["index"]["translog"]["durability"] == "request"
        session.load(table("a"), rows(("1", "first"), ("2", "first")))
        session.commit()
        for number in range(4):
            client.post(f"/{index}/_update/1", json={"doc": {"v": f"theirs {number}"}}).raise_for_status()
        session.upsert(table("a"), rows(("1", "ours")))
        session.commit()
        assert found(opensearch_server, options, "a") == {1: "ours", 2: "first"}

        client.post(f"/{index}/_close").raise_for_status()
        session.upsert(table("a"), rows(("1", "later")))
        with pytest.raises(DatabaseFailed, match="index_closed"):
            session.commit()
        client.post(f"/{index}/_open").raise_for_status()
        assert session.checkpoints("s") == []
        assert found(opensearch_server, options, "a") == {1: "later", 2: "first"}, "it was decided, and is done"

        client.delete(f"/{index}").raise_for_status()
        monkeypatch.setattr("zcbus.connectors.writing.presence._CHECK_SECONDS", 0)
        with pytest.raises(TableMissing):
            session.upsert(table("a"), rows(("1", "lost")))
    client.delete(f"/_template/{options.prefix}").raise_for_status()
