"""Delta Lake in a bucket of a real server of S3, and transactions that a kill cuts between their commits."""

import os
import random
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from tests.servers.files import TENANT
from tests.servers.lakes import DeltaFolder
from tests.servers.s3 import LISTER, S3Server
from zcbus.connectors.delta import merging
from zcbus.connectors.delta import tables as tables_module
from zcbus.connectors.delta import writer as writer_module
from zcbus.connectors.delta.folder import LakeFolder, batches
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, Fenced, TableMissing, TableRefused
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.roles.sink import pace
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


def loads(server: DeltaFolder, folder: str, name: str) -> list[Path]:
    """Files that were written before their transaction was decided."""
    return list(Path(server.path(folder, name)).glob("zcbus-load-*"))


def found(options: DeltaOptions, name: str) -> list[dict[str, Any]]:
    """Read without the connector."""
    bucket = bucket_of(options)
    assert bucket is not None
    relay = bucket.relay()
    read = DeltaTable(f"s3://{bucket.name}/{options.folder}/{name}", storage_options=bucket.storage_options(relay))
    return sorted(read.to_pyarrow_table().to_pylist(), key=lambda row: row["id"])


@pytest.mark.wide
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


def test_a_table_that_others_delete_is_noticed(delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    options = delta_folder.options(delta_folder.fresh_database("gone"))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "first")))
        session.commit()
        with opened(options) as other:
            other.drop_table(table("a").name)
        monkeypatch.setattr("zcbus.connectors.writing.presence._CHECK_SECONDS", 0)
        with pytest.raises(TableMissing):
            session.upsert(table("a"), rows(("1", "lost")))


def test_a_user_who_may_not_write_is_warned(s3_server: S3Server) -> None:
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


def test_the_library_connects_by_the_platforms_own_connections(
    s3_server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is one that only this process knows: a library that resolves it by itself finds nothing."""
    real = socket.getaddrinfo

    def resolve(host: Any, *given: Any, **named: Any) -> Any:
        return real("127.0.0.1" if host == "lake.invalid" else host, *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    # What the environment of the host has is not for a server that a tenant names.
    monkeypatch.setenv("AWS_SESSION_TOKEN", "of the host")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    options = in_bucket(s3_server, "lake/named")
    named = replace(options, endpoint=options.endpoint.replace("127.0.0.1", "lake.invalid"))
    with opened(named) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "x")))
        session.commit()
    assert found(options, "a") == [{"id": 1, "v": "x"}]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("merged", [0, 1])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch, merged: int, staged: bool
) -> None:
    """Behind the commit that decides it, before any table or only one of them has its rows, which are in the state or
    in files of their own."""
    if staged:
        monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = delta_folder.options(delta_folder.fresh_database("cut"))
    names = ("a", "b")
    with opened(options) as session:
        session.prepare_store()
        for name in names:
            session.create_table(table(name), CleanMode.DROP)
        calls: list[Any] = []
        merge = merging.merge

        def dies(*given: Any) -> bool:
            if len(calls) == merged:
                raise KeyboardInterrupt
            calls.append(given)
            return merge(*given)

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
        # A late process does nothing a second time.
        assert late.checkpoints("s")[0].version == 2
    assert delta_folder.rows(folder, "a") == [{"id": 1, "v": "next"}]
    assert delta_folder.table(folder, "b").version() == 1
    names_of_loads = [file.name for name in names for file in loads(delta_folder, folder, name)]
    assert len(names_of_loads) == (merged if staged else 0), "the successor wrote what it read into files of its own"


def test_few_changes_wait_for_others_and_old_files_go(delta_folder: DeltaFolder) -> None:
    options = replace(delta_folder.options(delta_folder.fresh_database("slow")), interval=3600)
    waits: list[float] = []
    with opened(options) as session:
        pace(session, waits.append)
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for first in (1, 2):
            session.load(table("a"), rows((str(first), "x")))
            session.commit()
        assert waits == [], "new rows rewrite no file"
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


_WIDE_TABLE = """
import resource, sys
import pyarrow as pa
import pyarrow.compute
from deltalake import write_deltalake
from tests.integration.connectors import test_delta as t
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles.alteration import Alteration

options = spec_of("delta").model(folder=sys.argv[1], tenant=t.TENANT, interval=0)
with t.opened(options) as session:
    session.prepare_store()
    session.create_table(t.table("a"), t.CleanMode.DROP)
    for first in range(0, 400_000, 100_000):
        ids = pa.array(range(first, first + 100_000), pa.int32())
        texts = pyarrow.compute.binary_repeat(pyarrow.compute.utf8_lpad(ids.cast(pa.string()), 8), 64)
        write_deltalake(sys.argv[2], pa.table({"id": ids, "v": texts}), mode="append")
with t.opened(options) as session:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    session.alter_table(t.table("a"), Alteration(rename=(("v", t.MappedColumn("w", "w", t.TEXT, True)),)))
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


@pytest.mark.soak
def test_a_table_larger_than_memory_changes_its_structure(delta_folder: DeltaFolder) -> None:
    folder = delta_folder.fresh_database("wide")
    command = [sys.executable, "-c", _WIDE_TABLE, folder, delta_folder.path(folder, "a")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    megabytes = int(done.stdout)
    assert megabytes < 200, "as text the rows take 200 MB once"
    names = delta_folder.table(folder, "a").schema().to_arrow().names
    assert (names, delta_folder.table(folder, "a").count()) == (["id", "w"], 400_000)


@pytest.mark.parametrize("written", [False, True])
def test_a_renamed_key_that_a_kill_cuts(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    options = delta_folder.options(delta_folder.fresh_database("renamed"))
    number = MappedColumn("number", "number", NUMBER, False)
    renaming = Alteration(rename=(("id", number),))

    def dies(*given: Any, **named: Any) -> None:
        if written:
            write_deltalake(*given, **named)
        raise KeyboardInterrupt

    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "x")))
        session.commit()
        monkeypatch.setattr(tables_module, "write_deltalake", dies)
        with pytest.raises(KeyboardInterrupt):
            session.alter_table(table("a"), renaming)
        monkeypatch.undo()
    with opened(options) as session:
        session.alter_table(table("a"), renaming)
        (found,) = session.describe([TableName("delta", "a")]).values()
        assert (set(found.names), found.primary_key) == ({"number", "v"}, ("number",))
        renamed = replace(table("a"), columns=(number, table("a").columns[1]), key=("number",))
        session.upsert(renamed, pa.RecordBatch.from_pylist([{"number": "1", "v": "y"}]))
        session.commit()
    assert delta_folder.rows(options.folder, "a") == [{"number": 1, "v": "y"}]


def test_keys_that_a_merge_takes_for_equal(delta_folder: DeltaFolder) -> None:
    """A part with two rows for one of the table could never be merged, and would stop all tables of the folder."""
    options, name = delta_folder.options(delta_folder.fresh_database("zeros")), TableName("delta", "a")
    columns = (Column("id", DataType(Kind.FLOAT64, "double"), False), Column("v", TEXT))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    zeros = TargetTable(name, mapped, ("id",), TableSchema(name, "postgresql", columns, ("id",)))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(zeros, CleanMode.DROP)
        session.load(zeros, rows(("-0", "a"), ("NaN", "a")))
        session.commit()
        session.delete(zeros, rows(("-0", "")).select(["id"]))
        session.upsert(zeros, rows(("0", "b"), ("NaN", "b")))
        session.commit()
    assert sorted((str(one["id"]), one["v"]) for one in delta_folder.rows(options.folder, "a")) == [
        ("0.0", "b"),
        ("nan", "b"),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_rows_that_only_add_are_appended_and_all_others_merged(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Also where loads of rows that only add are files before they are decided."""
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0 if seed % 2 else 1 << 20)
    options, chance = delta_folder.options(delta_folder.fresh_database(f"ranges{seed}")), random.Random(seed)
    wanted: dict[str, str] = {}
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for step in range(25):
            first, count = chance.randrange(-60, 60), chance.randrange(1, 12)
            keys = [str(key) for key in range(first, first + count * 2, 2)]
            if chance.random() < 0.25:
                session.delete(table("a"), rows(*((key, "") for key in keys)).select(["id"]))
                wanted = {key: value for key, value in wanted.items() if key not in keys}
            else:
                write = chance.choice([session.load, session.upsert])
                write(table("a"), rows(*((key, str(step)) for key in keys)))
                wanted |= dict.fromkeys(keys, str(step))
            session.commit()
    found = [(str(row["id"]), row["v"]) for row in delta_folder.rows(options.folder, "a")]
    assert sorted(found) == sorted(wanted.items())
    modes = [one["operation"] for one in delta_folder.table(options.folder, "a").history()]
    assert {"WRITE", "MERGE"} <= set(modes)


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


def test_files_of_loads_that_are_not_decided_go(delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = delta_folder.options(delta_folder.fresh_database("undecided"))
    with opened(options) as session, opened(options) as other:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for one, key in ((session, "1"), (other, "2")):
            one.load(table("a"), rows((key, key)))
            one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.commit()
        assert len(loads(delta_folder, options.folder, "a")) == 1
        session.upsert(table("a"), rows(("1", "2")))
        session.commit()
    (taken,) = loads(delta_folder, options.folder, "a")
    (taken.parent / "zcbus-load-of-a-kill.parquet").write_bytes(b"")
    merging.tidy(LakeFolder(options), "a", 1)
    assert len(loads(delta_folder, options.folder, "a")) == 2, "they may be decided yet"
    old = time.time() - 7200
    for file in loads(delta_folder, options.folder, "a"):
        os.utime(file, (old, old))
    merging.tidy(LakeFolder(options), "a", 1)
    assert loads(delta_folder, options.folder, "a") == [taken], "a version within the history needs it"
    assert delta_folder.rows(options.folder, "a") == [{"id": 1, "v": "2"}]


def test_a_file_of_a_load_that_others_delete(delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are lost, so the table stops with the reason."""
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = delta_folder.options(delta_folder.fresh_database("deleted"))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "x")))
        monkeypatch.setattr(writer_module, "merge", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            session.commit()
        monkeypatch.undo()
    (file,) = loads(delta_folder, options.folder, "a")
    file.unlink()
    with opened(options) as session, pytest.raises(DatabaseFailed, match="load the table again"):
        session.checkpoints("s")


@pytest.mark.parametrize("seed", range(2))
def test_values_of_a_load_whose_file_is_written_here(
    delta_folder: DeltaFolder, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Each type, with nulls, as the library's own append writes it, and with statistics that leave out no row."""
    kinds = (Kind.BOOLEAN, Kind.INT8, Kind.INT16, Kind.INT32, Kind.INT64, Kind.FLOAT32, Kind.FLOAT64, Kind.TEXT)
    types = [*(DataType(kind, kind.value) for kind in kinds), DataType(Kind.DECIMAL, "", precision=20, scale=4)]
    types += [DataType(kind, kind.value) for kind in (Kind.BINARY, Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)]
    columns = (Column("id", NUMBER, False), *(Column(f"c {n}", one) for n, one in enumerate(types)))
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in columns)
    name = TableName("delta", "a")
    wide = TargetTable(name, mapped, ("id",), TableSchema(name, "postgresql", columns, ("id",)))
    values = ("t", "-128", "7", "-1", str(2**63 - 1), "1.5", "NaN", "名" * 100, "-0.0001")
    whole = (*values, b"\0\xff", "1969-12-31", "0001-01-01 00:00:00.000001", "9999-12-31 23:59:59.999999+00")
    given = [(str(number), *(None if (number + seed) % 3 == 0 else one for one in whole)) for number in range(7)]
    arrays = [
        pa.array(list(found), pa.binary() if one.type.kind is Kind.BINARY else pa.string())
        for one, found in zip(columns, zip(*given, strict=True), strict=True)
    ]
    batch = pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])
    images = []
    for size in (0, 1 << 20):
        monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", size)
        options = delta_folder.options(delta_folder.fresh_database("types"))
        with opened(options) as session:
            session.prepare_store()
            session.create_table(wide, CleanMode.DROP)
            session.load(wide, batch)
            session.commit()
            assert len(loads(delta_folder, options.folder, "a")) == (0 if size else 1)
        made = delta_folder.table(options.folder, "a")
        images.append(str(sorted(made.to_pyarrow_table().to_pylist(), key=lambda row: row["id"])))
        for condition in ('"c 7" IS NULL', "\"c 7\" LIKE '名%'", "\"c 10\" < '1970-01-01'", '"c 8" < 0'):
            sql = f"SELECT count(*) FROM t WHERE {condition}"
            counted = sum(one.num_rows and one.column(0)[0].as_py() for one in batches(made, sql))
            assert counted == sum((row[1] is None) == condition.endswith("NULL") for row in given), condition
    assert images[0] == images[1]


def test_rows_of_a_load_are_files_of_a_bucket(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library reaches it through this process, so no call of it may hold Python's lock."""
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = in_bucket(s3_server, "lake/staged")
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for key in ("1", "2"):
            session.load(table("a"), rows((key, key)))
            session.commit()
    assert found(options, "a") == [{"id": 1, "v": "1"}, {"id": 2, "v": "2"}]
    names = [path for path, _ in LakeFolder(options).listed("a") if "/zcbus-load-" in path]
    assert len(names) == 2
