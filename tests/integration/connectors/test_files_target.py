"""Folders that are written, in every store that is a target: what is decided, what readers see, and what is refused."""

from typing import Any

import pyarrow as pa
import pytest

from tests.servers.csv_folder import CsvFolders
from tests.servers.s3 import READER, WRITER
from zcbus.connectors.errors import DatabaseFailed, Fenced, RowRefused, TableRefused, TargetUnavailable
from zcbus.connectors.files.connector import FilesConnector
from zcbus.connectors.files.target.log_writer import LogWriter
from zcbus.connectors.files.target.state import FolderState
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.local import LocalStore
from zcbus.connectors.writing.decided import State
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
STORES = ["csv_folders", "sftp_folders", "s3_folders", "hdfs_folders"]
SCHEMA = TableSchema(
    TableName("public", "orders"),
    "postgresql",
    (Column("id", DataType(Kind.INT32, "int"), nullable=False), Column("name", DataType(Kind.TEXT, "text"))),
    ("id",),
)
TABLE = TargetTable(
    TableName("rows", "orders"),
    tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in SCHEMA.columns),
    ("id",),
    SCHEMA,
)


class KilledError(Exception):
    """The process ends here."""


class Place:
    """A folder of a store, and the connector to it."""

    def __init__(self, folders: CsvFolders, **given: Any) -> None:
        if folders.kind == "s3":
            given |= {"accesskey": WRITER, "secretkey": WRITER.lower()}
        self.connector = connector(folders.kind)
        assert isinstance(self.connector, FilesConnector)
        before = folders.options(folders.fresh_database("target"))
        self.options = type(before)(
            **{**before.document(), **before.secrets(), "tenant": before.tenant, "gather": 0, **given}
        )

    def open(self) -> TargetSession:
        return self.connector.target(self.options).open()

    def store(self) -> WritableStore:
        assert isinstance(self.connector, FilesConnector)
        return self.connector.store(self.options)

    def files(self) -> list[str]:
        store = self.store()
        found = [one.name for one in store.below("")]
        store.close()
        return found


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest) -> Place:
    return Place(request.getfixturevalue(request.param), output="csv", partition="none")


def rows(*ids: int) -> pa.RecordBatch:
    numbers = [str(one) for one in ids]
    return pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(numbers)], ["id", "name"])


def write(session: TargetSession, version: int, *ids: int) -> None:
    session.upsert(TABLE, rows(*ids))
    session.write_checkpoints([Checkpoint("s", "", version, "{}")])
    session.commit()


def test_one_of_two_sessions_writes_and_readers_see_whole_files(place: Place) -> None:
    with place.open() as session, place.open() as leftover:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        write(session, 1, 1, 2)
        leftover.upsert(TABLE, rows(9))
        leftover.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        write(session, 2, 3)
        with pytest.raises(Fenced):
            leftover.commit()
        leftover.rollback()
        session.delete(TABLE, rows(1).select(["id"]))
        session.commit()
    visible = [name for name in place.files() if not name.startswith(".")]
    numbers = [f"orders/{number:012}.csv" for number in (1, 2, 3)]
    assert visible == [*numbers, "orders/_complete.json", "orders/_table.json"]
    assert [name for name in place.files() if "pending" in name] == []
    store = place.store()
    texts = [(store.get(name) or b"").decode() for name in numbers]
    store.close()
    assert texts[0].startswith('"_op","_commit","_order","_at","id","name"\n"upsert",')
    assert [text.count("\n") for text in texts] == [3, 2, 2]
    assert texts[2].splitlines()[1].startswith('"delete",')
    made = place.connector
    with made.reader(place.options, "target") as reader, made.discoverer(place.options) as discoverer:
        (schema,) = discoverer.describe([TABLE.name])
        found = [row for batch, _ in reader.read(schema, ("id",), None, 10) for row in batch.to_pylist()]
    assert found == [{"id": "2", "name": "2"}, {"id": "3", "name": "3"}]


def test_the_connection_test_writes(request: pytest.FixtureRequest, place: Place) -> None:
    checks = place.connector.tester().test(place.options, "target")
    assert [check.ok for check in checks] == [True] * len(checks)
    assert checks[-1].statement == "create .zcbus/probe"
    assert place.files() == []
    if place.options.kind == "s3":
        folders = request.getfixturevalue("s3_folders")
        reading = Place(folders)
        reading.options = folders.options(folders.fresh_database("target"))
        assert reading.options.accesskey == READER
        assert not reading.connector.tester().test(reading.options, "target")[-1].ok


def test_files_of_others_are_never_replaced(csv_folders: CsvFolders) -> None:
    place = Place(csv_folders)
    csv_folders.put(place.options.folder, "orders/000000000001.csv", ("id",), [("1",)])
    with place.open() as session:
        session.prepare_store()
        with pytest.raises(TableRefused) as refused:
            session.create_table(TABLE, CleanMode.DROP)
    assert refused.value.facts["reason"] == "folder-of-others"
    assert (csv_folders.path(place.options.folder, "orders/000000000001.csv")).exists()


def test_a_missing_file_is_noticed_where_the_log_is_read_back(csv_folders: CsvFolders) -> None:
    place = Place(csv_folders, partition="none")
    with place.open() as session:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        write(session, 1, 1)
        write(session, 2, 2)
        csv_folders.path(place.options.folder, "orders/000000000001.parquet").unlink()
        write(session, 3, 3)  # whole rows need nothing of what is there
        with pytest.raises(TableRefused) as refused:
            session.update(TABLE, rows(2).select(["id"]), rows(5).select(["name"]))
    assert refused.value.facts["reason"] == "files-missing"


def test_what_is_decided_is_carried_out_by_the_next_session(
    csv_folders: CsvFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(csv_folders, partition="none")

    def die(writer: LogWriter, state: State) -> bool:
        if writer._store.pending:
            raise KilledError
        return True

    with place.open() as session:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        with monkeypatch.context() as patched:
            patched.setattr(LogWriter, "finish", die)
            with pytest.raises(KilledError):
                write(session, 1, 1)
    assert "orders/000000000001.parquet" not in place.files()
    with place.open() as session:
        assert session.checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
    assert "orders/000000000001.parquet" in place.files()
    assert [name for name in place.files() if "pending" in name] == []


def test_a_number_that_others_have_used_and_deleted_is_not_used_again(csv_folders: CsvFolders) -> None:
    """A process that slept for a day between reading the state and its commit."""
    place = Place(csv_folders)
    with place.open() as session, place.open() as sleeper:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        write(session, 1, 1)
        asleep: FolderState = sleeper._writer._state  # type: ignore[attr-defined]
        state = asleep.read()
        for version in range(2, 50):
            write(session, version, version)
        with pytest.raises(TargetUnavailable):
            asleep.write(state)
        assert session.checkpoints("s") == [Checkpoint("s", "", 49, "{}")]


def test_a_store_that_replaces_what_was_to_be_new_is_refused(
    csv_folders: CsvFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = LocalStore.put
    monkeypatch.setattr(LocalStore, "put", lambda self, name, data, only_new=False: plain(self, name, data))
    place = Place(csv_folders)
    with place.open() as session, pytest.raises(DatabaseFailed):
        session.prepare_store()
    assert not place.connector.tester().test(place.options, "target")[-1].ok


@pytest.mark.soak(but=["csv_folders"])
@pytest.mark.parametrize("fixture", STORES)
def test_rows_are_divided_by_columns_with_names_of_hive(request: pytest.FixtureRequest, fixture: str) -> None:
    """One record's place has nothing to do with the order in which records of a key count."""
    place = Place(request.getfixturevalue(fixture), output="csv", partition="none", columns="name, other")
    names = ["CN", "a/b%=:{}*?", None, "单 价", ".x", ""]
    batch = pa.RecordBatch.from_arrays(
        [pa.array([str(one) for one in range(6)]), pa.array(names, pa.string())], ["id", "name"]
    )
    with place.open() as session:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        session.upsert(TABLE, batch)
        session.commit()
        session.delete(TABLE, rows(0, 1).select(["id"]))
        session.upsert(TABLE, batch.slice(0, 1))
        session.upsert(TABLE, batch.slice(2, 1).set_column(1, "name", pa.array(["moved"])))
        session.commit()
        folders = {name.split("/")[1] for name in place.files() if name.count("/") == 2 and name[0] != "."}
        nothing = "name=__HIVE_DEFAULT_PARTITION__"
        odd = "name=a%2Fb%25%3D%3A%7B}%2A%3F"
        assert folders == {"name=CN", odd, nothing, "name=单 价", "name=%2Ex", "name=moved"}
        session.update(TABLE, rows(2, 3).select(["id"]), rows(7, 8).select(["name"]))
        session.commit()
    with place.connector.reader(place.options, "target") as reader, place.open() as session:
        schema = session.describe([TABLE.name])[TABLE.name]
        found = [row for part, _ in reader.read(schema, ("id",), None, 10) for row in part.to_pylist()]
    assert {one["id"]: one["name"] for one in found} == {"0": "CN", "2": "7", "3": "8", "4": ".x", "5": ""}


def test_a_value_that_names_no_folder_is_refused(csv_folders: CsvFolders) -> None:
    place = Place(csv_folders, columns="name")
    with place.open() as session:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.DROP)
        with pytest.raises(RowRefused):
            session.upsert(TABLE, pa.RecordBatch.from_pydict({"id": ["1"], "name": ["单" * 80]}))
