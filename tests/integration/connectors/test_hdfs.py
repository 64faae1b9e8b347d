"""Folders of a real HDFS: names and contents, whom it denies, what has no room, and nodes that end and come back."""

from typing import Any

import pytest

from tests.integration.engine.running import wait_until
from tests.servers.hdfs import HdfsFolders, HdfsServer, opened
from zcbus.connectors.errors import AccessDenied, SourceFull, SourceUnavailable
from zcbus.connectors.hdfs.spec import HdfsOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.stores.hdfs import HdfsAccess, HdfsStore

pytestmark = [pytest.mark.server, pytest.mark.wide]
_PART = 9 << 20
"""Bytes: more than are read at once."""


@pytest.fixture
def folder(hdfs_folders: HdfsFolders) -> str:
    name = hdfs_folders.fresh_database("hdfs")
    hdfs_folders.put(name, "orders/d=1/a b & c%+ü.csv", ("id", "name"), [("1", "名"), ("2", "x")])
    options = hdfs_folders.options(name)
    wait_until(lambda: checks(options, "source")["permissions"], 10, lambda: "still written")
    return name


def changed(folders: HdfsFolders, name: str, **values: object) -> HdfsOptions:
    return HdfsOptions(**{**folders.options(name).document(), **values})


def checks(options: HdfsOptions, side: Any) -> dict[str, bool]:
    found = connector("hdfs").tester().test(options, side)
    return {one.item: all(other.ok for other in found if other.item == one.item) for one in found}


def test_the_connection_test_finds_what_is_wrong(hdfs_folders: HdfsFolders, folder: str) -> None:
    options = hdfs_folders.options(folder)
    assert all(checks(options, "target").values())
    assert checks(changed(hdfs_folders, folder, folder="/nothing"), "source") == {
        "reachable": True,
        "permissions": False,
    }
    assert checks(changed(hdfs_folders, folder, port=1), "source") == {"reachable": False}
    assert not all(checks(changed(hdfs_folders, folder, user="nobody"), "target").values())


def test_a_file_that_is_replaced_while_it_is_read_is_not_mixed(hdfs_server: HdfsServer, folder: str) -> None:
    store = opened(hdfs_server, folder)
    store.put("big.csv", b"a" * 2 * _PART)
    with store.open("big.csv") as file:
        assert file.read(1) == b"a"
        store.put("big.csv", b"b" * 2 * _PART)
        file.seek(_PART)
        with pytest.raises(FileNotFoundError):
            file.read(_PART)
    with store.open("big.csv") as file:
        assert file.read() == b"b" * 2 * _PART
    store.close()


def test_who_may_only_read_is_denied(hdfs_server: HdfsServer, folder: str) -> None:
    access = HdfsAccess("hdfs", hdfs_server.host, hdfs_server.port, "somebody-else", "disable")
    store = HdfsStore(access, folder)
    assert [one.name for one in store.files()] == ["orders/d=1/a b & c%+ü.csv"]
    for only_new in (True, False):
        with pytest.raises(AccessDenied):
            store.put("a.csv", b"1", only_new=only_new)
    store.close()


def test_a_folder_without_room_is_called_full(hdfs_server: HdfsServer, folder: str) -> None:
    store, client = opened(hdfs_server, folder), hdfs_server.client()
    quota = {"namespacequota": str((1 << 63) - 1), "storagespacequota": "1000"}
    client.ask("PUT", folder, "SETQUOTA", **quota)
    with pytest.raises(SourceFull):
        store.put("a.csv", b"x" * 5000)
    assert [one.name for one in store.below("")] == ["orders/d=1/a b & c%+ü.csv"]
    store.close()
    client.close()


def test_nodes_that_end_come_back_with_what_was_written(hdfs_server: HdfsServer, folder: str) -> None:
    store = opened(hdfs_server, folder)
    store.put("kept.csv", b"1")
    hdfs_server.stop()
    with pytest.raises(SourceUnavailable):
        store.put("lost.csv", b"2")
    hdfs_server.start()
    assert store.get("kept.csv") == b"1"
    assert store.get("lost.csv") is None
    store.close()


def test_a_small_file_that_is_replaced_while_it_is_asked_for_comes_whole(
    hdfs_server: HdfsServer, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = opened(hdfs_server, folder), opened(hdfs_server, folder)
    store.put("pointer", b"1")
    read, waiting = store.read, [b"longer than before"]

    def replaced(*given: Any) -> bytes:
        if waiting:
            other.put("pointer", waiting.pop())
        return read(*given)

    monkeypatch.setattr(store, "read", replaced)
    assert store.get("pointer") == b"longer than before"
    store.close()
    other.close()
