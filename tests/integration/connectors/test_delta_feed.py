"""The change data feed of Delta tables: what it reports, and where it has gaps."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from tests.integration.connectors.test_delta import in_bucket
from tests.servers.lakes import DeltaFolder
from tests.servers.s3 import S3Server
from tests.support.history import History
from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation
from zcbus.model.position import Position
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server
NAME = TableName("delta", "orders")
ORDERS = CapturedTable(NAME, ("id",))
COLUMNS: "list[pa.Field[Any]]" = [
    pa.field("id", pa.int32()),
    pa.field("v", pa.string()),
    pa.field("tags", pa.list_(pa.string())),
]
SCHEMA = pa.schema(COLUMNS)
FEED = {"delta.enableChangeDataFeed": "true"}


def rows(*values: tuple[int, str]) -> pa.Table:
    return pa.Table.from_pylist([{"id": number, "v": text, "tags": ["x"]} for number, text in values], schema=SCHEMA)


@pytest.fixture
def options(delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch) -> DeltaOptions:
    """Of a folder with the table, which has three rows."""
    monkeypatch.setattr("zcbus.connectors.delta.stream._SAVE_SECONDS", 0)
    made: DeltaOptions = replace(delta_folder.options(delta_folder.fresh_database("feed")), poll=1)
    path = f"{LakeFolder(made).root}/orders"
    write_deltalake(path, rows((1, "a"), (2, "b"), (3, "c")), configuration=FEED)
    return made


def table(options: DeltaOptions) -> DeltaTable:
    return DeltaTable(f"{LakeFolder(options).root}/orders")


def reported(stream: Any) -> Iterator[tuple[Operation, str, str | None]]:
    """Changes up to the end of a round: operation, id before the change, v; acknowledged."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for frame in stream.read(1.0):
            if isinstance(frame, HeartbeatFrame):
                stream.acknowledge(frame.position)
                return
            assert isinstance(frame, ChangeFrame)
            (changes,) = frame.tables
            keys, values = changes.keys_before.column("id").to_pylist(), changes.rows.column("v").to_pylist()
            kinds: list[Any] = changes.operations.to_pylist()
            yield from zip((Operation(one) for one in kinds), map(str, keys), values, strict=True)


def opened(options: DeltaOptions, history: History, after: Position | None = None) -> Any:
    source = connector("delta").source(options)
    position = source.prepare("n", [ORDERS], after)
    return source.open_changes("n", [ORDERS], position, history)


def test_every_change_is_reported_once_and_over_restarts(options: DeltaOptions) -> None:
    history = History()
    with opened(options, history) as stream:
        assert list(reported(stream)) == [], "what was there is left to a load"
        write_deltalake(table(options), rows((4, "d")), mode="append")
        table(options).update(predicate="id = 1", updates={"v": "'A'"})
        table(options).update(predicate="id = 2", updates={"id": "CAST(20 AS INT)"})
        table(options).delete("id = 3")
        assert list(reported(stream)) == [
            (Operation.UPDATE, "4", "d"),
            (Operation.UPDATE, "1", "A"),
            (Operation.DELETE, "2", None),
            (Operation.UPDATE, "20", "b"),
            (Operation.DELETE, "3", None),
        ]
        table(options).optimize.compact()
        assert list(reported(stream)) == [], "files that are only arranged otherwise change no row"
    table(options).delete("id = 4")
    with opened(options, history) as stream:
        assert list(reported(stream)) == [(Operation.DELETE, "4", None)]


def test_an_image_in_the_order_of_the_key(options: DeltaOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.delta.rows._PAGE", 2)
    with connector("delta").discoverer(options) as discoverer:
        (schema,) = discoverer.describe([NAME])
    assert [one.type.kind.value for one in schema.columns] == ["int32", "text", "unsupported"]
    with connector("delta").source(options).open_snapshot() as image:
        found = list(image.read(schema, ("id",), None, 1))
        assert [last for _, last in found] == [("1",), ("2",), ("3",)]
        assert found[0][0].to_pylist() == [{"id": "1", "v": "a", "tags": None}]
        assert [last for _, last in image.read(schema, ("v", "id"), ("a", "1"), 9, ("b", "2"))] == [("b", "2")]
        assert sum(batch.num_rows for batch, _ in image.read(schema, (), None, 9)) == 3
        assert image.estimate(schema) == 3
    with connector("delta").reader(options, "source") as reader:
        assert reader.border(schema, ("id",), ("1",), 2) == ("3",)
        assert reader.border(schema, ("id",), ("1",), 3) is None


def test_tables_that_cannot_be_captured_are_named(options: DeltaOptions) -> None:
    write_deltalake(f"{LakeFolder(options).root}/plain", rows((1, "a")))
    plain, absent = (CapturedTable(TableName("delta", one), ("id",)) for one in ("plain", "absent"))
    source = connector("delta").source(options)
    found = source.refusals([ORDERS, replace(ORDERS, key=()), plain, absent], [])
    assert [type(one) for one in found] == [TableRefused, TableRefused, TableMissing]
    assert [one.facts.get("reason") for one in found[:2]] == ["feed-needs-key", "feed-missing"]
    with pytest.raises(TableRefused):
        source.prepare("n", [plain])


def _vacuum(options: DeltaOptions) -> None:
    table(options).update(predicate="id = 1", updates={"v": "'A'"})
    table(options).vacuum(retention_hours=0, dry_run=False, enforce_retention_duration=False)
    files = LakeFolder(options)._files
    for part in files.list("orders/_change_data/"):
        for one in part:
            files.delete(one["path"])


def _forget(options: DeltaOptions) -> None:
    table(options).delete("id = 1")
    table(options).delete("id = 2")
    table(options).create_checkpoint()
    LakeFolder(options)._files.delete("orders/_delta_log/00000000000000000001.json")


def _interrupt(options: DeltaOptions) -> None:
    for value in ("false", "true"):
        table(options).alter.set_table_properties({"delta.enableChangeDataFeed": value})
        table(options).delete("id = 1")


def _make_again(options: DeltaOptions) -> None:
    folder = LakeFolder(options)
    folder.remove("orders")
    write_deltalake(f"{folder.root}/orders", rows((9, "z")), configuration=FEED)


@pytest.mark.parametrize("gap", [_vacuum, _forget, _interrupt, _make_again])
def test_a_gap_stops_the_table_with_its_reason(options: DeltaOptions, gap: Any) -> None:
    history = History()
    with opened(options, history) as stream:
        assert list(reported(stream)) == []
    gap(options)
    with opened(options, history) as stream, pytest.raises(TableRefused) as refused:
        list(reported(stream))
    assert refused.value.facts["reason"] == "feed-lost"


def test_another_structure_stops_the_table(options: DeltaOptions) -> None:
    history = History()
    with opened(options, history) as stream:
        assert list(reported(stream)) == []
        wider = rows((5, "e")).append_column("more", pa.array(["m"]))
        write_deltalake(table(options), wider, mode="append", schema_mode="merge")
        with pytest.raises(TableRefused) as refused:
            list(reported(stream))
    assert refused.value.facts["reason"] == "schema-changed"


def test_a_feed_in_a_bucket(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    options = replace(in_bucket(s3_server, "lake/feed"), poll=1)
    bucket = bucket_of(options)
    assert bucket is not None
    relay = bucket.relay()
    storage = bucket.storage_options(relay)
    path = f"s3://{bucket.name}/{options.folder}/orders"
    write_deltalake(path, rows((1, "a")), configuration=FEED, storage_options=storage)
    with opened(options, History()) as stream:
        assert list(reported(stream)) == []
        DeltaTable(path, storage_options=storage).delete("id = 1")
        assert list(reported(stream)) == [(Operation.DELETE, "1", None)]
