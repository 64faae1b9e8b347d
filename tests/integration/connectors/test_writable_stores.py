"""Writing into stores: what every one of them promises."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.servers.csv_folder import CsvFolders
from tests.servers.files import TENANT
from tests.servers.s3 import READER, WRITER
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.hdfs import HdfsAccess, HdfsStore
from zcbus.connectors.stores.local import LocalStore
from zcbus.connectors.stores.s3 import S3Store
from zcbus.connectors.stores.sftp import SftpAccess, SftpStore

pytestmark = pytest.mark.server


@pytest.fixture(params=["csv_folders", "sftp_folders", "s3_folders", "hdfs_folders"])
def store(request: pytest.FixtureRequest) -> Iterator[WritableStore]:
    folders = request.getfixturevalue(request.param)
    made = open_store(folders, folders.fresh_database("written"))
    yield made
    made.close()


def open_store(folders: CsvFolders, name: str, key: str = WRITER) -> WritableStore:
    options = folders.options(name)
    if options.kind == "localfiles":
        return LocalStore(TENANT, name, "localfiles")
    if options.kind == "sftp":
        place = ("sftp", options.host, options.port, options.user, "", options.key, options.hostkey)
        return SftpStore(SftpAccess(*place), options.folder)
    if options.kind == "hdfs":
        return HdfsStore(HdfsAccess("hdfs", options.host, options.port, options.user, options.tls), options.folder)
    given = {**options.document(), "accesskey": key, "secretkey": key.lower()}
    return S3Store(access_of(S3Options(**given)), name)


def test_files_are_written_moved_and_deleted(store: WritableStore) -> None:
    assert store.get("a/b c.csv") is None
    assert store.below("a") == []
    for data in (b"one", b"", b"x" * 3_000_000):
        store.put("a/b c.csv", data)
        assert store.get("a/b c.csv") == data
    store.put(".hidden/表=1/x.csv", b"2")
    assert [(one.name, one.size) for one in store.below(".hidden")] == [(".hidden/表=1/x.csv", 1)]
    assert [one.name for one in store.files()] == ["a/b c.csv"]
    assert store.move(".hidden/表=1/x.csv", "t/d=1/x.csv")
    assert not store.move(".hidden/表=1/x.csv", "t/d=1/x.csv")
    assert store.move("t/d=1/x.csv", "a/b c.csv")
    assert store.get("a/b c.csv") == b"2"
    assert [one.name for one in store.below("")] == ["a/b c.csv"]
    for _ in range(2):
        store.delete("a/b c.csv")
    assert store.below("") == []


def test_one_of_several_creates_a_file(request: pytest.FixtureRequest, store: WritableStore) -> None:
    def create(number: int) -> bool:
        try:
            store.put("state/1", str(number).encode() * 1000, only_new=True)
        except FileExistsError:
            return False
        return True

    created = [create(1), create(2)]
    assert created == [True, False]
    assert store.get("state/1") == b"1" * 1000
    store.delete("state/1")
    if isinstance(store, S3Store):  # one client is of one thread
        return
    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(create, range(8))) == [False] * 7 + [True]


def test_who_may_only_read_is_denied(request: pytest.FixtureRequest) -> None:
    folders = request.getfixturevalue("s3_folders")
    store = open_store(folders, folders.fresh_database("written"), READER)
    for only_new in (True, False):
        with pytest.raises(AccessDenied):
            store.put("a", b"1", only_new=only_new)
    store.close()


def test_links_do_not_lead_out_of_the_tenant_s_folder(csv_folders: CsvFolders, tmp_path: Path) -> None:
    name = csv_folders.fresh_database("written")
    (csv_folders.folder / name / "t").symlink_to(tmp_path)
    store = open_store(csv_folders, name)
    for write in (lambda: store.put("t/a", b"1"), lambda: store.move("t/a", "b"), lambda: store.delete("t/a")):
        with pytest.raises(AccessDenied):
            write()
    assert list(tmp_path.iterdir()) == []
