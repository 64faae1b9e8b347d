"""Iceberg with both catalogues, on disk and in a bucket of a real server, and transactions that a kill cuts."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import CommitFailedException

from tests.integration.connectors.test_delta import NUMBER, TEXT, rows
from tests.integration.connectors.test_delta import table as delta_table
from tests.servers.files import TENANT
from tests.servers.lakes import IcebergFolder
from tests.servers.s3 import LISTER, S3Server
from zcbus.connectors.errors import AccessDenied, Fenced, TableMissing, TableRefused
from zcbus.connectors.iceberg import merging, tidying
from zcbus.connectors.iceberg import writer as writer_module
from zcbus.connectors.iceberg.catalogue import LakeCatalogue
from zcbus.connectors.iceberg.spec import IcebergOptions
from zcbus.connectors.options import OptionsInvalid
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.kit import network
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server


def table(name: str) -> TargetTable:
    made = delta_table(name)
    return replace(made, name=TableName("iceberg", name))


def opened(options: IcebergOptions) -> TargetSession:
    return connector("iceberg").target(options).open()


def in_bucket(server: S3Server, **given: Any) -> IcebergOptions:
    key = given.pop("key", "WRITERKEY")
    place = {
        "bucket": server.bucket,
        "endpoint": server.endpoint,
        "accesskey": key,
        "secretkey": key.lower(),
        "tenant": TENANT,
        "interval": 0,
    }
    return IcebergOptions(**{**place, **given})


def by_rest(server: S3Server, **given: Any) -> IcebergOptions:
    server.make_lake_bucket()
    rest = {
        "catalogue": "rest",
        "uri": server.catalogue,
        "warehouse": f"s3://{server.lake_bucket}/",
        "bucket": server.lake_bucket,
        "clientid": "WRITERKEY",
        "clientsecret": "writerkey",
    }
    return in_bucket(server, **{**rest, **given})


def found(options: IcebergOptions, name: str) -> list[dict[str, Any]]:
    """Read by the library alone."""
    files = {
        "s3.endpoint": options.endpoint,
        "s3.access-key-id": options.accesskey,
        "s3.secret-access-key": options.secretkey,
        "s3.region": options.region,
    }
    read = RestCatalog(
        "other",
        uri=options.uri,
        warehouse=options.warehouse,
        credential="WRITERKEY:writerkey",
        **{"oauth2-server-uri": f"{options.uri}/v1/oauth/tokens", **files},
    ).load_table((options.namespace, name))
    return sorted(read.scan().to_arrow().to_pylist(), key=lambda row: int(row["id"]))


def data_files(options: IcebergOptions, name: str) -> list[str]:
    """All of the table's folder, whether a snapshot has them or not."""
    catalogue = LakeCatalogue(options)
    there = catalogue.open(name)
    assert there is not None
    return [path for path, _ in catalogue.files.listed(there.location()) if path.endswith(".parquet")]


def read(options: IcebergOptions, name: str) -> list[dict[str, Any]]:
    """The rows of a table in the catalogue on disk, by the library."""
    there = LakeCatalogue(options).open(name)
    assert there is not None
    return there.scan().to_arrow().to_pylist()


def use(options: IcebergOptions, name: str) -> None:
    """Two sessions of which one is fenced out, a change of structure, and a comparison's read."""
    assert all(check.ok for check in connector("iceberg").tester().test(options, "target"))
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
    with connector("iceberg").discoverer(options) as discoverer:
        assert [one.name.table for one in discoverer.tables()] == [name]


def test_tables_of_a_rest_catalogue(s3_server: S3Server) -> None:
    options, name = by_rest(s3_server, namespace="shop"), "orders"
    use(options, name)
    assert found(options, name) == [{"id": 1, "v": "a"}, {"id": 2, "v": "new"}]
    with opened(options) as session:
        session.drop_table(TableName("iceberg", name))
        assert session.describe([TableName("iceberg", name)]) == {}
    with connector("iceberg").discoverer(options) as discoverer:
        assert discoverer.tables() == []


def test_files_in_a_bucket_and_the_catalogue_on_disk(s3_server: S3Server, iceberg_folder: IcebergFolder) -> None:
    options = in_bucket(s3_server, folder=iceberg_folder.fresh_database("bucket"))
    use(options, "订单 /1")
    with opened(options) as session:
        session.drop_table(TableName("iceberg", "订单 /1"))
    left = LakeCatalogue(options).files.listed(f"s3://{options.bucket}/{options.folder}/zcbus/订单 =2F1")
    assert left == []


def test_rows_of_a_load_are_files_of_a_bucket(
    s3_server: S3Server, iceberg_folder: IcebergFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The snapshot has each as it was written; another process that carries the load out leaves no file too many."""
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = in_bucket(s3_server, folder=iceberg_folder.fresh_database("staged"))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "a")))
        session.commit()
        session.load(table("a"), rows(("2", "b")))
        with monkeypatch.context() as patched:
            patched.setattr(writer_module, "merge", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                session.commit()
        assert len(data_files(options, "a")) == 2
    with opened(options) as session:
        session.checkpoints("s")
    assert len(data_files(options, "a")) == 2
    assert sorted((row["id"], row["v"]) for row in read(options, "a")) == [(1, "a"), (2, "b")]


def test_who_may_not_is_warned(s3_server: S3Server) -> None:
    wrong = by_rest(s3_server, clientid="NOBODY")
    assert [(one.ok, one.item) for one in connector("iceberg").tester().test(wrong, "target")][-1] == (False, "login")
    with opened(by_rest(s3_server, namespace="closed", key=LISTER)) as session:
        session.prepare_store()  # the service itself makes the table
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "a")))
        with pytest.raises(AccessDenied):
            session.commit()
    network.use(network.NetworkRules(loopback=False))
    try:
        with pytest.raises(AccessDenied), opened(by_rest(s3_server)) as session:
            session.prepare_store()
    finally:
        network.use(network.NetworkRules())


def test_options_that_belong_together() -> None:
    for given, option in (
        ({"catalogue": "rest", "bucket": "b"}, "uri"),
        ({"catalogue": "rest", "uri": "http://c"}, "bucket"),
        ({}, "folder"),
    ):
        with pytest.raises(OptionsInvalid) as refused:
            opened(IcebergOptions(tenant=TENANT, **given))  # type: ignore[arg-type]
        assert refused.value.facts["option"] == option


def test_metadata_leads_to_no_other_place(iceberg_folder: IcebergFolder, tmp_path: Path) -> None:
    """A catalogue that names a file of the host, or of another bucket, gets none read or written."""
    files = LakeCatalogue(iceberg_folder.options(iceberg_folder.fresh_database("confined"))).files
    (tmp_path / "secret").write_text("x")
    for address in (f"file://{tmp_path}/secret", "/etc/passwd", "s3://other/x", f"{files._root}/../x"):
        with pytest.raises(OSError, match="not in"):
            files.new_input(address)
        with pytest.raises(OSError, match="not in"):
            files.new_output(address)


def test_a_commit_on_a_stale_snapshot_is_refused(iceberg_folder: IcebergFolder) -> None:
    """The fence: the library tries no commit again."""
    options = iceberg_folder.options(iceberg_folder.fresh_database("stale"))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
    first, second = (iceberg_folder.table(options.folder, "a") for _ in range(2))
    row = pa.table({"id": pa.array([1], pa.int32()), "v": ["x"]}, schema=first.schema().as_arrow())
    first.append(row)
    with pytest.raises(CommitFailedException):
        second.append(row)
    assert len(iceberg_folder.rows(options.folder, "a")) == 1


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("merged", [0, 1])
def test_a_transaction_over_two_tables_that_a_kill_cuts(
    iceberg_folder: IcebergFolder, monkeypatch: pytest.MonkeyPatch, merged: int, staged: bool
) -> None:
    """Behind the commit that decides it, before any table or only one of them has its rows, which are in the state or
    in files of their own."""
    if staged:
        monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = iceberg_folder.options(iceberg_folder.fresh_database("cut"))
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
    assert [len(iceberg_folder.rows(folder, name)) for name in names] == [merged, 0]
    with opened(options) as successor, opened(options) as late:
        assert successor.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
        assert [iceberg_folder.rows(folder, name) for name in names] == [[{"id": 1, "v": name}] for name in names]
        successor.upsert(table("a"), rows(("1", "next")))
        successor.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        successor.commit()
        # A late process does nothing a second time.
        assert late.checkpoints("s")[0].version == 2
    assert iceberg_folder.rows(folder, "a") == [{"id": 1, "v": "next"}]
    assert len(iceberg_folder.table(folder, "b").snapshots()) == 1
    assert len(data_files(options, "b")) == 1, "the file that the successor read is gone"


@pytest.mark.soak
def test_old_snapshots_and_their_files_go(iceberg_folder: IcebergFolder) -> None:
    options = iceberg_folder.options(iceberg_folder.fresh_database("old"))
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        for number in range(30):
            session.upsert(table("a"), rows(("1", str(number)), (str(number + 2), "x")))
            session.commit()
    catalogue = LakeCatalogue(options)
    there = catalogue.open("a")
    assert there is not None
    before = iceberg_folder.rows(options.folder, "a")
    snapshot = there.current_snapshot()
    assert snapshot is not None
    assert len(snapshot.manifests(there.io)) < 20, "manifests are merged, and those of deleted files go"
    all_files = catalogue.files.listed(there.location())
    tidying.tidy(there, catalogue.files, datetime.now(UTC))
    left = catalogue.files.listed(there.location())
    assert len(there.snapshots()) == 1
    assert len(left) < len(all_files) / 2
    assert iceberg_folder.rows(options.folder, "a") == before
    assert len(before) == 31


def test_a_table_that_others_delete_is_noticed(iceberg_folder: IcebergFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    options = iceberg_folder.options(iceberg_folder.fresh_database("gone"))
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


def test_tables_of_others_and_our_own_are_refused(iceberg_folder: IcebergFolder) -> None:
    options = iceberg_folder.options(iceberg_folder.fresh_database("others"))
    catalogue = LakeCatalogue(options)
    theirs = catalogue.create("a", pa.schema([pa.field("id", pa.int32()), pa.field("v", pa.string())]), {})
    theirs.append(pa.table({"id": pa.array([1], pa.int32()), "v": ["theirs"]}))
    with opened(options) as session:
        session.prepare_store()
        for clean in (CleanMode.NONE, CleanMode.TRUNCATE):
            with pytest.raises(TableRefused):
                session.create_table(table("a"), clean)
        with pytest.raises(TableRefused):
            session.create_table(table("zcbus_state"), CleanMode.DROP)
    assert iceberg_folder.rows(options.folder, "a") == [{"id": 1, "v": "theirs"}]


def test_columns_are_renamed_without_writing_rows_anew(iceberg_folder: IcebergFolder) -> None:
    options = iceberg_folder.options(iceberg_folder.fresh_database("renamed"))
    number = MappedColumn("number", "number", NUMBER, False)
    with opened(options) as session:
        session.prepare_store()
        session.create_table(table("a"), CleanMode.DROP)
        session.load(table("a"), rows(("1", "x")))
        session.commit()
        before = [one.file.file_path for one in iceberg_folder.table(options.folder, "a").scan().plan_files()]
        session.alter_table(table("a"), Alteration(rename=(("id", number),)))
        assert before == [one.file.file_path for one in iceberg_folder.table(options.folder, "a").scan().plan_files()]
        (described,) = session.describe([TableName("iceberg", "a")]).values()
        assert (set(described.names), described.primary_key) == ({"number", "v"}, ("number",))
        renamed = replace(table("a"), columns=(number, table("a").columns[1]), key=("number",))
        session.upsert(renamed, pa.RecordBatch.from_pylist([{"number": "1", "v": "y"}]))
        session.commit()
    assert iceberg_folder.rows(options.folder, "a") == [{"number": 1, "v": "y"}]


@pytest.mark.parametrize(
    ("data", "one", "other"),
    [
        (DataType(Kind.FLOAT64, "double"), "NaN", "-0"),
        (DataType(Kind.BINARY, "bytea"), b"\x00\xff", b"\xff" * 40),
        (DataType(Kind.DECIMAL, "numeric", precision=12, scale=2), "1.50", "-1.00"),
        (DataType(Kind.TIMESTAMP_TZ, "timestamptz"), "2024-02-29 12:34:56.5+00", "0001-01-01 00:00:00+00"),
        (DataType(Kind.DATE, "date"), "2024-02-29", "9999-12-31"),
        (DataType(Kind.BOOLEAN, "boolean"), "t", "f"),
        (DataType(Kind.TEXT, "text"), "a" * 40, "é'\"\\"),
    ],
    ids=lambda value: value.kind.value if isinstance(value, DataType) else "",
)
@pytest.mark.parametrize("width", [1, 2])
def test_keys_of_every_type(iceberg_folder: IcebergFolder, data: DataType, one: Any, other: Any, width: int) -> None:
    options, name = iceberg_folder.options(iceberg_folder.fresh_database("keys")), TableName("iceberg", "a")
    key = tuple(f"k.{number}" for number in range(width))
    columns = (*(Column(part, data, False) for part in key), Column("v", TEXT))
    mapped = tuple(MappedColumn(part.name, part.name, part.type, part.nullable) for part in columns)
    target = TargetTable(name, mapped, key, TableSchema(name, "postgresql", columns, key))

    def batch(*given: tuple[Any, str]) -> pa.RecordBatch:
        return pa.RecordBatch.from_pylist([dict.fromkeys(key, value) | {"v": text} for value, text in given])

    with opened(options) as session:
        session.prepare_store()
        session.create_table(target, CleanMode.DROP)
        session.load(target, batch((one, "a"), (other, "b")))
        session.commit()
        session.update(target, batch((one, "")).select(list(key)), batch((one, "changed")))
        session.delete(target, batch((other, "")).select(list(key)))
        session.commit()
    assert [row["v"] for row in iceberg_folder.rows(options.folder, "a")] == ["changed"]


def test_files_of_loads_that_are_not_decided_go(iceberg_folder: IcebergFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of a load are files before they are decided; those that replace rows have none too many either."""
    monkeypatch.setattr("zcbus.connectors.lakes.writer._STAGED_BYTES", 0)
    options = iceberg_folder.options(iceberg_folder.fresh_database("undecided"))
    odd = replace(table("a"), columns=(table("a").columns[0], MappedColumn("v", "列 1/x", TEXT, True)))
    with opened(options) as session, opened(options) as other:
        session.prepare_store()
        session.create_table(odd, CleanMode.DROP)
        for one, key in ((session, "1"), (other, "2")):
            one.load(odd, rows((key, key)))
            one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            other.commit()
        assert len(data_files(options, "a")) == 1
        session.load(odd, rows(("1", "new"), ("3", "new")))
        session.commit()
        assert len(data_files(options, "a")) == 2
        session.load(odd, rows(("4", "x")))
        monkeypatch.setattr(writer_module, "merge", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            session.commit()
    monkeypatch.undo()
    with opened(options) as session:
        session.checkpoints("s")
    found = sorted((row["id"], row["列 1/x"]) for row in iceberg_folder.rows(options.folder, "a"))
    assert found == [(1, "new"), (3, "new"), (4, "x")]
