"""Sources by list: a load has the records of all files in their order, and a copy follows the files, over kills too."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from tests.conformance.connectors.listed_case import CASES
from tests.integration.engine.running import wait_until
from tests.servers.csv_folder import CsvFolders
from tests.support.files_copy import ORDERS, Copy, Rows, in_folder
from zcbus.connectors.errors import SourceUnavailable, TableMissing
from zcbus.connectors.files.folder import FILE, RECORD
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.registry import connector
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server
HEADER = ("id", "name")
KEPT = "orders/a.csv"
ODD = "orders/d=1/a b & c%+ü名.csv"
_SECONDS = 60


def cases(but: set[str], mark: pytest.MarkDecorator) -> list[Any]:
    """All kinds, with a mark on all but these."""
    return [pytest.param(kind, marks=() if kind in but else mark) for kind in sorted(CASES)]


@pytest.fixture(params=cases({"localfiles", "sftp"}, pytest.mark.wide))
def folders(request: pytest.FixtureRequest) -> CsvFolders:
    return made(request)


@pytest.fixture(params=[one for one in cases({"sftp", "webfiles"}, pytest.mark.soak) if one.values != ("localfiles",)])
def served(request: pytest.FixtureRequest) -> Any:
    """Those that a server gives."""
    return made(request)


def made(request: pytest.FixtureRequest) -> CsvFolders:
    found: CsvFolders = request.getfixturevalue(CASES[request.param].folders)
    found.given = {"removed": "delete", "interval": 1}
    return found


def put(folders: CsvFolders, database: str, file: str, ids: Sequence[int], word: str = "名") -> Rows:
    """Returns the file's records."""
    folders.put(database, file, HEADER, [(str(one), f"{word} {one}") for one in ids])
    return {
        (file, str(number)): {FILE: file, RECORD: str(number), "id": str(one), "name": f"{word} {one}"}
        for number, one in enumerate(ids, 1)
    }


def wait_for_load(options: FilesOptions, wanted: Rows) -> None:
    """Files that were written a moment ago are left out."""

    def loaded() -> Rows:
        try:
            return in_folder(options)
        except SourceUnavailable:
            return {}

    wait_until(lambda: loaded() == wanted, _SECONDS, lambda: f"{len(loaded())} of {len(wanted)} records")


def follow(copy: Copy, stream: Any, wanted: Rows) -> None:
    deadline = time.monotonic() + _SECONDS
    while copy.rows != wanted:
        assert time.monotonic() < deadline, f"{len(copy.rows)} of {len(wanted)} records"
        copy.follow(stream)


def filled(folders: CsvFolders) -> tuple[str, Rows]:
    """A folder, and the records of its table."""
    name = folders.fresh_database("listed")
    rows = put(folders, name, KEPT, (5, 6)) | put(folders, name, "orders/b.csv", range(100))
    rows |= put(folders, name, ODD, (7, 8))
    put(folders, name, "orders/.hidden.csv", (9,))
    put(folders, name, ".hidden/orders/a.csv", (9,))
    wait_for_load(folders.options(name), rows)
    return name, rows


def test_the_connection_test_lists_and_reads_each_table(folders: CsvFolders) -> None:
    name, _ = filled(folders)
    results = connector(folders.kind).tester().test(folders.options(name), "source")
    assert [result.item for result in results] == [*CASES[folders.kind].checks, "permissions"]
    assert all(result.ok for result in results)
    assert results[-1].detail == "_file, _record, id, name"


def test_a_load_can_resume_behind_any_record(folders: CsvFolders) -> None:
    name, wanted = filled(folders)
    made, options = connector(folders.kind), folders.options(name)
    with made.discoverer(options) as discoverer:
        assert [(one.name, one.has_primary_key) for one in discoverer.tables()] == [(ORDERS, True)]
        (schema,) = discoverer.describe([ORDERS])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName(ORDERS.schema, "absent")])
    with made.source(options).open_snapshot() as image:
        read = list(image.read(schema, schema.key(), None, 30))
        rows = [row for batch, _ in read for row in batch.to_pylist()]
        assert {(row[FILE], row[RECORD]): row for row in rows} == wanted
        seen = 0
        for batch, last in read:
            seen += batch.num_rows
            rest = [row for part, _ in image.read(schema, schema.key(), last, 1000) for row in part.to_pylist()]
            assert rest == rows[seen:]


def test_a_copy_follows_files_through_kills(folders: CsvFolders) -> None:
    name, wanted = filled(folders)
    options = folders.options(name)
    copy = Copy(options)
    copy.rows = dict(wanted)
    with copy.open() as stream:
        assert copy.follow(stream) == 1, "what a load has is not published"
    wanted = {key: row for key, row in wanted.items() if key[0] == KEPT}
    wanted |= put(folders, name, "orders/c.csv", range(3000)) | put(folders, name, "orders/b.csv", range(10), "new")
    folders.remove(name, ODD)
    with copy.open() as stream:
        lost = frames_of(stream)  # and the process is killed
    assert lost
    with copy.open() as stream:
        follow(copy, stream, wanted)
    assert in_folder(options) == wanted


def frames_of(stream: Any) -> list[ChangeFrame]:
    deadline = time.monotonic() + _SECONDS
    frames: list[ChangeFrame] = []
    while not frames and time.monotonic() < deadline:
        frames = [frame for frame in stream.read(5.0) if isinstance(frame, ChangeFrame)]
    return frames


def test_a_server_that_comes_back_is_read_again(served: Any) -> None:
    name, wanted = filled(served)
    options, server = served.options(name), served.server
    with connector(served.kind).discoverer(options) as discoverer:
        assert [one.name for one in discoverer.tables()] == [ORDERS]
        server.stop()
        try:
            with pytest.raises(SourceUnavailable):
                discoverer.tables()
        finally:
            server.start()
        assert [one.name for one in discoverer.tables()] == [ORDERS]
    assert in_folder(options) == wanted


def test_a_folder_that_is_missing_fails_the_connection_test(folders: CsvFolders) -> None:
    """Or it is an empty one, where folders are but parts of names."""
    name = folders.fresh_database("listed")
    options = folders.options(f"{name}-absent")
    results = connector(folders.kind).tester().test(options, "source")
    failed = [result for result in results if not result.ok]
    if not failed:
        with connector(folders.kind).discoverer(options) as discoverer:
            assert discoverer.tables() == []
        return
    assert failed[-1].blocking
    with pytest.raises(ZcbusError), connector(folders.kind).discoverer(options) as discoverer:
        discoverer.tables()
