"""OpenSearch as a source: documents of several forms as rows, what stops a table, and suggested columns."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from tests.servers.opensearch import OpenSearchServer
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Streamed
from zcbus.model.schema import TableName, TableSchema

pytestmark = pytest.mark.server
NAME = TableName("opensearch", "t")
COLUMNS = "t: name text, n bigint, at timestamptz"
_ANY = {"type": "object", "enabled": False}
"""A field that is stored and not looked into."""
PROPERTIES = {"name": {"type": "keyword"}, "n": {"type": "long"}, "at": {"type": "date"}}


@pytest.fixture
def options(opensearch_server: OpenSearchServer) -> Iterator[OpenSearchOptions]:
    prefix = opensearch_server.fresh_database("source")
    yield opensearch_server.options(prefix, columns=COLUMNS, watermark="at", overlap=0)
    opensearch_server.drop_database(prefix)


def index(server: OpenSearchServer, options: OpenSearchOptions, name: str = "t", **properties: Any) -> None:
    # Only those who read refresh it.
    settings = {"number_of_shards": 2, "number_of_replicas": 0, "refresh_interval": "-1"}
    body = {"settings": settings, "mappings": {"properties": {**PROPERTIES, **properties}}}
    server.client.put(f"/{options.prefix}{name}", json=body).raise_for_status()


def put(server: OpenSearchServer, options: OpenSearchOptions, *documents: tuple[str, str], routing: str = "") -> None:
    """Ids, and contents as JSON text."""
    for key, text in documents:
        query = {"routing": routing} if routing else {}
        place = f"/{options.prefix}t/_doc/{key}"
        sent = server.client.put(place, params=query, content=text, headers={"content-type": "application/json"})
        sent.raise_for_status()


def described(options: OpenSearchOptions) -> TableSchema:
    with connector("opensearch").discoverer(options) as discoverer:
        return discoverer.describe([NAME])[0]


def read(options: OpenSearchOptions, after: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
    with connector("opensearch").source(options).open_snapshot() as image:
        return [row for batch, _ in image.read(described(options), ("_id",), after, 2) for row in batch.to_pylist()]


def opened(options: OpenSearchOptions) -> ChangeStream:
    source, tables = connector("opensearch").source(options), [CapturedTable(NAME, ("_id",))]
    return source.open_changes("n", tables, source.prepare("n", tables))


def next_round(stream: ChangeStream) -> list[Streamed]:
    """All up to its end."""
    frames: list[Streamed] = []
    while not frames or not isinstance(frames[-1], HeartbeatFrame):
        frames += stream.read(5.0)
    return frames


def published(frames: list[Streamed]) -> list[tuple[str, str]]:
    """Ids and values of n."""
    parts = [part for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables]
    return [(row["_id"], row["n"]) for part in parts for row in part.rows.to_pylist()]


def test_fields_become_columns_and_all_others_one(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    index(opensearch_server, options, long=_ANY, tags=_ANY)
    put(
        opensearch_server,
        options,
        ("c", '{"name": "名", "n": 1, "at": "2023-11-14T22:13:20.123Z", "exact": 1.10, "long": 123456789012345678901}'),
        ("a", '{"name": null, "n": 1152921504606846976, "at": 1700000000123, "tags": ["x", {"y": null}]}'),
        ("b", '{"n": 5.0, "at": "2023-11-14"}'),
        ("d", '{"n": -7, "at": "2023-11-14T23:13:20+01:00"}'),
    )
    assert read(options) == [
        {
            "_id": "a",
            "name": None,
            "n": str(1 << 60),
            "at": "2023-11-14 22:13:20.123+00",
            "document": '{"tags": ["x", {"y": null}]}',
        },
        {"_id": "b", "name": None, "n": "5", "at": "2023-11-14 00:00:00+00", "document": "{}"},
        {
            "_id": "c",
            "name": "名",
            "n": "1",
            "at": "2023-11-14 22:13:20.123+00",
            "document": '{"exact": 1.10, "long": 123456789012345678901}',
        },
        {"_id": "d", "name": None, "n": "-7", "at": "2023-11-14 22:13:20+00", "document": "{}"},
    ]
    assert [row["_id"] for row in read(options, ("b",))] == ["c", "d"]


def test_changes_are_found_by_the_watermark(opensearch_server: OpenSearchServer, options: OpenSearchOptions) -> None:
    index(opensearch_server, options)
    put(
        opensearch_server, options, *((str(n), orjson.dumps({"n": n, "at": n}).decode()) for n in range(10_000, 10_050))
    )
    with opened(options) as stream:
        assert len(published(next_round(stream))) == 50
        put(
            opensearch_server,
            options,
            ("10007", '{"n": 1, "at": 20000}'),
            ("new", '{"n": 2, "at": "1970-01-01T00:00:30Z"}'),
        )
        assert published(next_round(stream)) == [("10007", "1"), ("new", "2")]
        assert published(next_round(stream)) == []


@pytest.mark.parametrize(
    ("document", "column"),
    [
        ('{"at": 10000, "n": "five"}', "n"),
        ('{"at": 10000, "n": 1.5}', "n"),
        ('{"at": 10000, "name": ["a"]}', "name"),
        ('{"at": 10000, "name": 5}', "name"),
        ('{"at": 2024}', "at"),
    ],
    ids=["text", "fraction", "list", "number", "year"],
)
def test_what_does_not_fit_stops_a_table(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions, document: str, column: str
) -> None:
    """Four digits are a year to the server and a time after 1970 to who wrote them."""
    index(opensearch_server, options, n=_ANY)
    put(opensearch_server, options, ("1", '{"n": 1, "at": 10000}'), ("2", document))
    with pytest.raises(TableRefused) as refused:
        read(options)
    assert (refused.value.facts["reason"], refused.value.facts["column"]) == ("document-unfit", column)


@pytest.mark.parametrize("document", ['{"n": 1}', '{"n": 1, "at": null}', '{"n": 1, "at": "soon"}'])
def test_a_document_that_no_query_by_the_watermark_finds_stops_the_table(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions, document: str
) -> None:
    index(opensearch_server, options, at={"type": "date", "ignore_malformed": True})
    put(opensearch_server, options, ("1", '{"n": 1, "at": 10000}'))
    with opened(options) as stream:
        next_round(stream)
        put(opensearch_server, options, ("2", document))
        with pytest.raises(TableRefused) as refused:
            next_round(stream)
    assert refused.value.facts["reason"] == "watermark-nullable"


def test_a_watermark_of_another_type_is_refused(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    index(opensearch_server, options, at={"type": "keyword"})
    with pytest.raises(TableRefused) as refused:
        opened(options)
    assert refused.value.facts["reason"] == "watermark-unordered"


def test_documents_with_a_routing_value_stop_the_table(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    """Two of them may have one id."""
    index(opensearch_server, options)
    put(opensearch_server, options, ("1", '{"n": 1, "at": 10000}'))
    assert len(read(options)) == 1
    put(opensearch_server, options, ("1", '{"n": 2, "at": 10000}'), routing="elsewhere")
    for act in (read, lambda given: next_round(opened(given))):
        with pytest.raises(TableRefused) as refused:
            act(options)
        assert refused.value.facts["reason"] == "document-routed"


def test_the_connection_test_suggests_columns_that_fit(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    index(opensearch_server, options, part={"properties": {"x": {"type": "long"}}}, f={"type": "double"})
    put(opensearch_server, options, ("1", '{"n": 1, "at": 10000, "f": 0.1, "part": {"x": 1}}'))
    bare = opensearch_server.options(options.prefix)
    results = connector("opensearch").tester().test(bare, "source")
    (suggested,) = [result.detail for result in results if result.item == "columns"]
    assert suggested == "t: at timestamptz, f decimal, n bigint, name text"
    declared = opensearch_server.options(options.prefix, columns=suggested, watermark="at")
    assert [(row["f"], row["document"]) for row in read(declared)] == [("0.1", '{"part": {"x": 1}}')]
    assert [result for result in connector("opensearch").tester().test(declared, "source") if not result.ok] == []
    for wrong in ("_id text", "document json"):
        with pytest.raises(OptionsInvalid):
            parse(OpenSearchOptions, {"host": "h", "columns": wrong})


def test_indexes_without_fields_are_tables_and_missing_ones_are_not(
    opensearch_server: OpenSearchServer, options: OpenSearchOptions
) -> None:
    opensearch_server.client.put(f"/{options.prefix}bare").raise_for_status()
    with connector("opensearch").discoverer(options) as discoverer:
        assert [one.name.table for one in discoverer.tables()] == ["bare"]
        with pytest.raises(TableMissing):
            discoverer.describe([NAME])
