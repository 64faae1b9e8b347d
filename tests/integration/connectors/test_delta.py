"""Delta Lake in a bucket of a real server of S3, and transactions that a kill cuts between their commits."""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from tests.servers.files import TENANT
from tests.servers.lakes import DeltaFolder
from tests.servers.s3 import LISTER, S3Server
from zcbus.connectors.delta import merging
from zcbus.connectors.delta import writer as writer_module
from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import AccessDenied, Fenced, TableRefused
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.kit import network
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
NUMBER, TEXT = DataType(Kind.INT32, "integer"), DataType(Kind.TEXT, "text")


def table(name: str) -> TargetTable:
    columns = (Column("id", NUMBER, False), Column("v", TEXT))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    target = TableName("delta", name)
    return TargetTable(target, mapped, ("id",), TableSchema(target, "postgresql", columns, ("id",)))


def rows(*values: tuple[str, str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"id": number, "v": text} for number, text in values])


def opened(options: DeltaOptions) -> TargetSession:
    return connector("delta").target(options).open()


def in_bucket(server: S3Server, folder: str, key: str = "WRITERKEY") -> DeltaOptions:
    return DeltaOptions(
        folder=folder,
        bucket=server.bucket,
        endpoint=server.endpoint,
        accesskey=key,
        secretkey=key.lower(),
        tenant=TENANT,
    )


def found(options: DeltaOptions, name: str) -> list[dict[str, Any]]:
    """Read without the connector."""
    bucket = bucket_of(options)
    assert bucket is not None
    read = DeltaTable(f"s3://{bucket.name}/{options.folder}/{name}", storage_options=bucket.storage_options())
    return sorted(read.to_pyarrow_table().to_pylist(), key=lambda row: row["id"])


def test_tables_in_a_bucket(s3_server: S3Server) -> None:
    options, name = in_bucket(s3_server, "lake/shop"), "订单 /1"
    assert all(check.ok for check in connector("delta").tester().test(options, "target"))
    with opened(options) as session, opened(options) as other:
        session.prepare_store()
        session.create_table(table(name), CleanMode.DROP)
        session.load(table(name), rows(("1", "a"), ("2", "b")))
        session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        assert other.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
        for one, text in ((session, "new"), (other, "of a leftover")):
            one.upsert(table(name), rows(("2", text)))
            one.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.commit()
        assert session.identity == other.identity
    assert found(options, "订单 =2F1") == [{"id": 1, "v": "a"}, {"id": 2, "v": "new"}]
    with connector("delta").discoverer(options) as discoverer:
        assert [one.name.table for one in discoverer.tables()] == [name]
    with opened(options) as session:
        session.drop_table(TableName("delta", name))
        assert session.describe([TableName("delta", name)]) == {}
    with connector("delta").discoverer(options) as discoverer:
        assert discoverer.tables() == []


def test_who_may_not_write_hears_of_it(s3_server: S3Server) -> None:
    options = in_bucket(s3_server, "lake/closed", LISTER)
    with pytest.raises(AccessDenied), opened(options) as session:
        session.prepare_store()
    unknown = replace(options, accesskey="NOBODY")
    (last,) = connector("delta").tester().test(unknown, "target")[1:]
    assert (last.ok, last.item) == (False, "login")
    network.use(network.NetworkRules(loopback=False))
    try:
        with pytest.raises(AccessDenied):
            opened(options)
    finally:
        network.use(network.NetworkRules())


@pytest.mark.parametrize("merged", [0, 1])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch, merged: int
) -> None:
    """Behind the commit that decides it, before any table or only one of them has its rows."""
    options = delta_folder.options(delta_folder.fresh_database("cut"))
    names = ("a", "b")
    with opened(options) as session:
        session.prepare_store()
        for name in names:
            session.create_table(table(name), CleanMode.DROP)
        calls: list[Any] = []
        merge = merging.merge

        def dies(*given: Any) -> None:
            if len(calls) == merged:
                raise KeyboardInterrupt
            calls.append(given)
            merge(*given)

        monkeypatch.setattr(writer_module, "merge", dies)
        for name in names:
            session.load(table(name), rows(("1", name)))
        session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
    folder = options.folder
    assert [len(delta_folder.rows(folder, name)) for name in names] == [merged, 0]
    with opened(options) as successor, opened(options) as late:
        assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
        assert [delta_folder.rows(folder, name) for name in names] == [[{"id": 1, "v": name}] for name in names]
        successor.upsert(table("a"), rows(("1", "next")))
        successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        successor.commit()
        # Whoever comes late does nothing a second time.
        assert late.checkpoints("s")[0].version == 2
    assert delta_folder.rows(folder, "a") == [{"id": 1, "v": "next"}]
    assert delta_folder.table(folder, "b").version() == 1


def test_few_changes_wait_for_others_and_old_files_go(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(delta_folder.options(delta_folder.fresh_database("slow")), interval=3600)
    waits: list[float] = []
    monkeypatch.setattr(
        writer_module, "time", SimpleNamespace(sleep=waits.append, time=time.time, monotonic=time.monotonic)
    )
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for first in (1, 2):
            session.load(table("a"), rows((str(first), "x")))
            session.commit()
        assert waits == [], "new rows write no file anew"
        for text in ("y", "z"):
            session.upsert(table("a"), rows(("1", text)))
            session.commit()
        assert len(waits) == 1
        assert 3500 < waits[0] <= 3600
        session.load(table("a"), rows(*((str(number), "x") for number in range(10_000))))
        session.commit()
        assert len(waits) == 1, "many rows wait for no others"
    folder = LakeFolder(options)
    files = Path(delta_folder.path(options.folder, "a"))
    before = delta_folder.rows(options.folder, "a")
    assert len(list(files.glob("*.parquet"))) > len(delta_folder.table(options.folder, "a").file_uris())
    merging.tidy(folder, "a", 0)
    assert len(list(files.glob("*.parquet"))) == len(delta_folder.table(options.folder, "a").file_uris())
    assert delta_folder.rows(options.folder, "a") == before


def test_tables_of_others_are_left_as_they_are(delta_folder: DeltaFolder) -> None:
    options = delta_folder.options(delta_folder.fresh_database("others"))
    LakeFolder(options)
    path = delta_folder.path(options.folder, "a")
    write_deltalake(path, pa.table({"id": pa.array([1], pa.int32()), "v": ["theirs"]}))
    with opened(options) as session:
        for clean in (CleanMode.NONE, CleanMode.TRUNCATE):
            with pytest.raises(TableRefused):
                session.create_table(table("a"), clean)
    assert delta_folder.rows(options.folder, "a") == [{"id": 1, "v": "theirs"}]


def test_folders_outside_and_other_tenants_are_refused(delta_folder: DeltaFolder) -> None:
    for options in (DeltaOptions(folder="x", tenant=".."), DeltaOptions(folder="x", tenant="")):
        with pytest.raises(AccessDenied):
            opened(options)
        assert not connector("delta").tester().test(options, "target")[0].ok
