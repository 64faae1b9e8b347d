"""MongoDB as a source: documents of several forms as rows, what stops a table, and the columns that are suggested."""

from typing import Any
from uuid import UUID

import pytest
from bson import Int64, ObjectId
from bson.datetime_ms import DatetimeMS

from tests.servers.mongodb import MongoDBServer
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mongodb.spec import MongoDBOptions
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.model.changes import HeartbeatFrame, Streamed
from zcbus.model.schema import TableName, TableSchema

pytestmark = pytest.mark.server
NAME = TableName("mongodb", "t")
COLUMNS = "t: name text, n bigint, at timestamptz"


@pytest.fixture
def options(mongodb_server: MongoDBServer) -> MongoDBOptions:
    return mongodb_server.options(mongodb_server.fresh_database("source"), columns=COLUMNS, watermark="at", overlap=0)


def put(server: MongoDBServer, options: MongoDBOptions, *documents: dict[str, Any]) -> None:
    with server.database(options.database) as database:
        for one in documents:
            database["t"].replace_one({"_id": one["_id"]}, one, upsert=True)


def described(options: MongoDBOptions) -> TableSchema:
    with connector("mongodb").discoverer(options) as discoverer:
        return discoverer.describe([NAME])[0]


def read(options: MongoDBOptions, after: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
    with connector("mongodb").source(options).open_snapshot() as image:
        return [row for batch, _ in image.read(described(options), ("_id",), after, 2) for row in batch.to_pylist()]


def next_round(stream: ChangeStream) -> list[Streamed]:
    """All up to its end."""
    frames: list[Streamed] = []
    while not frames or not isinstance(frames[-1], HeartbeatFrame):
        frames += stream.read(5.0)
    return frames


def one(number: int, **fields: Any) -> dict[str, Any]:
    return {"_id": ObjectId(f"{number:024x}"), "at": DatetimeMS(number), **fields}


def test_fields_become_columns_and_all_others_one(mongodb_server: MongoDBServer, options: MongoDBOptions) -> None:
    moment = DatetimeMS(1_700_000_000_123)
    put(
        mongodb_server,
        options,
        one(1, name="名", n=1, at=moment, tags=["a", {"b": ObjectId(f"{7:024x}")}], when=moment),
        one(2, name=None, n=Int64(1 << 60), more=True),
        one(3, n=5.0, name=UUID(int=3)),
    )
    key = [f"{number:024x}" for number in (1, 2, 3)]
    rest = (
        '{"tags":["a",{"b":{"$oid":"000000000000000000000007"}}],"when":{"$date":"2023-11-14T22:13:20.123Z"}}',
        '{"more":true}',
        "{}",
    )
    assert read(options) == [
        {"_id": key[0], "name": "名", "n": "1", "at": "2023-11-14 22:13:20.123+00", "document": rest[0]},
        {"_id": key[1], "name": None, "n": str(1 << 60), "at": "1970-01-01 00:00:00.002+00", "document": rest[1]},
        {"_id": key[2], "name": str(UUID(int=3)), "n": "5", "at": "1970-01-01 00:00:00.003+00", "document": rest[2]},
    ]
    assert [row["_id"] for row in read(options, (key[0],))] == key[1:]


@pytest.mark.parametrize(
    ("document", "reason", "column"),
    [
        (one(2, n="five"), "document-unfit", "n"),
        (one(2, n=1.5), "document-unfit", "n"),
        (one(2, name=["a"]), "document-unfit", "name"),
        ({"_id": "text", "at": DatetimeMS(1)}, "document-keys", "_id"),
        ({"_id": 5, "at": DatetimeMS(1)}, "document-keys", "_id"),
    ],
)
def test_what_does_not_fit_stops_a_table(
    mongodb_server: MongoDBServer, options: MongoDBOptions, document: dict[str, Any], reason: str, column: str
) -> None:
    """Also where a load continues behind a key of another type, which would pass over it."""
    put(mongodb_server, options, one(1, n=1), document)
    for after in (None, (f"{1:024x}",)):
        with pytest.raises(TableRefused) as refused:
            read(options, after)
        assert (refused.value.facts["reason"], refused.value.facts["column"]) == (reason, column)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"at": None}, "watermark-nullable"),
        ({"at": "2024-01-01T00:00:00Z"}, "watermark-unordered"),
        ({"at": 5}, "watermark-unordered"),
    ],
)
def test_a_document_that_no_query_by_the_watermark_finds_stops_the_table(
    mongodb_server: MongoDBServer, options: MongoDBOptions, fields: dict[str, Any], reason: str
) -> None:
    put(mongodb_server, options, one(1, n=1))
    source, tables = connector("mongodb").source(options), [CapturedTable(NAME, ("_id",))]
    with source.open_changes("n", tables, source.prepare("n", tables)) as stream:
        next_round(stream)
        put(mongodb_server, options, one(2, **fields))
        with pytest.raises(TableRefused) as refused:
            next_round(stream)
    assert refused.value.facts["reason"] == reason


def test_the_connection_test_suggests_columns_that_fit(mongodb_server: MongoDBServer, options: MongoDBOptions) -> None:
    put(mongodb_server, options, one(1, n=1, f=1, ok=True, x=1), one(2, n=2.0, f=1.5, tags=[1], x="a"), one(3, e=None))
    bare = mongodb_server.options(options.database)
    results = connector("mongodb").tester().test(bare, "source")
    (suggested,) = [result.detail for result in results if result.item == "columns"]
    assert suggested == "t: at timestamptz, n bigint, f double, ok boolean, x json, tags json"
    declared = mongodb_server.options(options.database, columns=suggested, watermark="at")
    assert [row["x"] for row in read(declared)] == ["1", '"a"', None]
    assert [result for result in connector("mongodb").tester().test(declared, "source") if not result.ok] == []


def test_keys_of_other_types_are_declared(mongodb_server: MongoDBServer, options: MongoDBOptions) -> None:
    for columns, keys in (("t: _id text", ["a", "b"]), ("t: _id bigint", [1, Int64(2)]), ("", [UUID(int=1)])):
        with mongodb_server.database(options.database) as database:
            database.drop_collection("t")
            database["t"].insert_many([{"_id": key} for key in keys])
        given = mongodb_server.options(options.database, columns=columns)
        assert [row["_id"] for row in read(given)] == [str(key) for key in keys]
        assert [row["_id"] for row in read(given, (str(keys[0]),))] == [str(key) for key in keys[1:]]
    for wrong in ("_id double", "document json"):
        with pytest.raises(OptionsInvalid):
            parse(MongoDBOptions, {"host": "h", "database": "d", "columns": wrong})
