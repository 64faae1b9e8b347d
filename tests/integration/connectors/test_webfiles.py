"""Files of a real web server: lists, what it says of files and what it does not, accounts, redirects, and changes."""

import gzip
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.integration.engine.running import wait_until
from tests.servers.csv_folder import WebFolders
from tests.servers.files import FilesFolder
from tests.servers.web import WebServer
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TableRefused
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.registry import connector
from zcbus.connectors.stores.web import WebStore
from zcbus.connectors.webfiles.access import store_of
from zcbus.connectors.webfiles.spec import WebFilesOptions
from zcbus.kit.network import NetworkRules, use

pytestmark = pytest.mark.server
EXPECTED = [
    ("orders/a.csv", "1", "1", "名"),
    ("orders/a.csv", "2", "2", "x"),
    ("orders/更多 files.csv", "1", "3", "y"),
]
SAID = ["files", "silent", "restless", "packed", "whole", "get-only", "moved"]
"""What servers may say of a file, and what not."""


@pytest.fixture
def folder(web_folders: WebFolders) -> str:
    return filled(web_folders)


def filled(folders: WebFolders) -> str:
    name = folders.fresh_database("web")
    folders.put(name, "orders/a.csv", ("id", "name"), [("1", "名"), ("2", "x")])
    folders.put(name, "orders/更多 files.csv", ("id", "name"), [("3", "y")])
    folders.put(name, "orders/.hidden.csv", ("id",), [("9",)])
    folders.path(name, "orders/read me.txt").write_text("not read")
    wait_until(lambda: rests(folders.options(name)), 10, lambda: "still written")
    return name


def rests(options: WebFilesOptions) -> bool:
    with connector("webfiles").discoverer(options) as discoverer:
        try:
            return bool(discoverer.describe([one.name for one in discoverer.tables()]))
        except SourceUnavailable as error:
            if "a moment ago" not in str(error.facts["detail"]):
                raise
            return False


def changed(options: WebFilesOptions, **values: Any) -> WebFilesOptions:
    return WebFilesOptions(**{**options.document(), **options.secrets(), **values})


def behind(folders: WebFolders, how: str, name: str, **values: Any) -> WebFilesOptions:
    return changed(folders.options(name), url=f"{folders.server.origin}/{how}/{name}/", **values)


def rows(options: WebFilesOptions) -> list[tuple[Any, ...]]:
    made = connector("webfiles")
    with made.discoverer(options) as discoverer, made.reader(options, "source") as reader:
        (name,) = [one.name for one in discoverer.tables()]
        (schema,) = discoverer.describe([name])
        read = reader.read(schema, schema.key(), None, 10)
        return [tuple(row.values()) for batch, _ in read for row in batch.to_pylist()]


def failed(options: WebFilesOptions) -> list[tuple[str, str]]:
    results = connector("webfiles").tester().test(options, "source")
    return [(check.item, check.advice) for check in results if not check.ok]


@pytest.mark.wide
@pytest.mark.parametrize("how", SAID)
def test_records_come_as_from_a_disk(web_folders: WebFolders, folder: str, how: str) -> None:
    assert rows(behind(web_folders, how, folder)) == EXPECTED


@pytest.mark.wide
@pytest.mark.parametrize("how", SAID)
def test_changes_are_seen_and_are_all_that_is_seen(web_folders: WebFolders, folder: str, how: str) -> None:
    store = store_of(behind(web_folders, how, folder))
    first = {file.name: file for file in store.files()}
    assert list(first) == ["orders/a.csv", "orders/更多 files.csv"]
    assert first == {file.name: file for file in store.files()}
    assert store.open("orders/a.csv").read() == "id,name\r\n1,名\r\n2,x\r\n".encode()
    web_folders.put(folder, "orders/a.csv", ("id", "name"), [("1", "longer names")])
    web_folders.path(folder, "orders/更多 files.csv").unlink()
    (file,) = store.files()
    assert file.version != first["orders/a.csv"].version
    assert store.open("orders/a.csv").read() == b"id,name\r\n1,longer names\r\n"
    store.close()


@pytest.mark.parametrize("how", ["files", "whole", "silent"])
def test_a_file_that_is_replaced_while_it_is_read_is_not_mixed(web_folders: WebFolders, how: str) -> None:
    name = web_folders.fresh_database("web")
    data = b"".join(b"%9d\n" % number for number in range(600_000))
    path = web_folders.path(name, "big.csv")
    path.write_bytes(data)
    os.utime(path, (1e9, 1e9))
    store = store_of(behind(web_folders, how, name))
    store.files()
    with store.open("big.csv") as file:
        assert file.read(100) == data[:100]
        replace(path, data[::-1])
        assert_all_or_nothing(file, data[100:])
    store.files()
    with store.open("big.csv") as file:
        file.seek(-10, 2)
        assert file.read() == data[::-1][-10:]
        file.seek(3_000_000)
        assert file.read(1_500_000) == data[::-1][3_000_000:4_500_000]
    replace(path, b"short")
    with pytest.raises(FileNotFoundError):
        read_anew(store)
    store.close()


def replace(path: Path, data: bytes) -> None:
    made = path.with_name(".made")
    made.write_bytes(data)
    made.replace(path)


def assert_all_or_nothing(file: Any, rest: bytes) -> None:
    """A content that is on disk is read on; else the other version is noticed."""
    try:
        assert file.read() == rest
    except FileNotFoundError:
        return


def read_anew(store: WebStore) -> bytes:
    for _, spool in store._spools.values():
        spool.close()
    store._spools.clear()
    return store.open("big.csv").read()


def test_only_what_changed_is_asked_for_again(web_folders: WebFolders, folder: str) -> None:
    store, server = store_of(web_folders.options(folder)), web_folders.server
    store.files()
    before = len(server.requests())
    store.files()
    asked = [line for line in server.requests()[before:] if ".csv" in line]
    assert [line.split(" ")[0] for line in asked] == ["HEAD", "HEAD"]
    assert server.log().count('"if-none-match"') >= 2
    packed = store_of(behind(web_folders, "packed", folder))
    packed.files()
    before = len(server.requests())
    packed.files()
    assert {line.split(" ")[0] for line in server.requests()[before:] if ".csv" in line} == {"HEAD"}
    store.close()
    packed.close()


def test_a_growing_file_is_read_by_its_end(web_folders: WebFolders) -> None:
    name = web_folders.fresh_database("web")
    path = web_folders.path(name, "log.csv")
    path.write_bytes(b"id\n" + b"1234567\n" * 500_000)
    store, server = store_of(changed(web_folders.options(name), growing=True)), web_folders.server
    (listed,) = store.files()
    with path.open("ab") as out:
        out.write(b"more\n")
    before = len(server.log())
    with store.open("log.csv") as file:
        file.seek(listed.size - 8)
        assert file.read() == b"1234567\n"
    (asked,) = [line for line in server.log()[before:].splitlines() if line.startswith("GET")]
    assert f"bytes={listed.size - 8}-" in asked
    assert store.files()[0].size == listed.size + 5
    store.close()


def test_packed_files_are_not_unpacked_by_what_servers_call_them(web_folders: WebFolders) -> None:
    name = web_folders.fresh_database("web")
    path = web_folders.path(name, "orders.csv.gz")
    path.write_bytes(gzip.compress(b"id\n1\n2\n"))
    wait_until(lambda: rests(web_folders.options(name)), 10, lambda: "still written")
    for how in ("files", "raw"):
        assert rows(behind(web_folders, how, name)) == [("orders.csv.gz", "1", "1"), ("orders.csv.gz", "2", "2")]


@pytest.mark.parametrize(("how", "reason"), [("odd", "Content-Encoding br"), ("login", "text/html")])
def test_what_is_not_the_file_is_refused(web_folders: WebFolders, folder: str, how: str, reason: str) -> None:
    address = f"orders/a.csv = {web_folders.server.origin}/{how}/{folder}/orders/a.csv"
    options = changed(web_folders.options(folder), listing="lines", addresses=address)
    with pytest.raises(TableRefused, match=reason):
        rows(options)
    assert failed(options) == [("permissions", "files")]


def test_a_file_that_is_too_large_is_refused(web_folders: WebFolders) -> None:
    name = web_folders.fresh_database("web")
    web_folders.path(name, "big.csv").write_bytes(b"id\n" + b"1234567\n" * 200_000)
    for how in SAID:
        with pytest.raises(TableRefused, match="more than 1 MiB"):
            rows(behind(web_folders, how, name, largest=1))


def test_lists_in_json_and_in_lines(web_folders: WebFolders, folder: str) -> None:
    server = web_folders.server
    away = f"{server.origin}/silent/{folder}/orders/a.csv"
    listed = [
        "orders/a.csv",
        {"name": "orders/z.csv", "url": f"{away}?id=5"},
        {"path": "orders/none.csv"},
        "readme.txt",
    ]
    web_folders.path(folder, "list.json").write_text(json.dumps({"files": listed}))
    options = behind(web_folders, "files", f"{folder}/list.json", listing="manifest")
    by_manifest = changed(options, url=options.url.rstrip("/"))
    assert [(row[0], row[2]) for row in rows(by_manifest)] == [
        ("orders/a.csv", "1"),
        ("orders/a.csv", "2"),
        ("orders/z.csv", "1"),
        ("orders/z.csv", "2"),
    ]
    lines = f"# what we read\norders/a.csv\n\norders/z.csv = {away}?id=5\norders/none.csv"
    assert rows(changed(web_folders.options(folder), listing="lines", addresses=lines)) == rows(by_manifest)
    web_folders.path(folder, "list.json").write_text("{}")
    assert failed(by_manifest) == [("resource", "file-list")]


def test_a_page_without_files_is_no_empty_folder(web_folders: WebFolders, folder: str) -> None:
    options = behind(web_folders, "login", folder)
    assert failed(options) == [("resource", "file-list")]
    with pytest.raises(SourceUnavailable, match="no link"):
        rows(options)
    assert failed(behind(web_folders, "files", f"{folder}/none")) == [("resource", "file-list")]
    assert failed(changed(options, url="http://127.0.0.1:1/")) == [("reachable", "address")]


def test_accounts(web_folders: WebFolders, folder: str) -> None:
    user, secret = web_folders.server.user, web_folders.server.secret
    basic = behind(web_folders, "basic", folder, auth="basic", user=user, secret=secret)
    assert rows(basic) == EXPECTED
    assert rows(behind(web_folders, "token", folder, auth="bearer", secret=secret)) == EXPECTED
    for wrong in (changed(basic, secret="wrong"), changed(basic, auth="none"), behind(web_folders, "token", folder)):
        assert failed(wrong) == [("login", "account")]
        with pytest.raises(AccessDenied) as denied:
            rows(wrong)
        assert secret not in str(denied.value)


@pytest.fixture
def other(files_folder: FilesFolder, web_folders: WebFolders) -> Iterator[WebServer]:
    """A server that leads to the first one."""
    server = WebServer(files_folder.folder, elsewhere=web_folders.server.origin)
    yield server
    server.remove()


def test_redirects_go_to_allowed_hosts_and_take_no_secret_along(
    web_folders: WebFolders, folder: str, other: WebServer
) -> None:
    target = f"127.0.0.1:{web_folders.server.port}"
    address = f"orders/a.csv = {other.origin}/away/{folder}/orders/a.csv"
    signed = {"auth": "basic", "user": other.user, "secret": other.secret, "listing": "lines", "addresses": address}
    options = changed(web_folders.options(folder), url=other.origin, **signed)
    before = len(web_folders.server.log())
    with pytest.raises(SourceUnavailable, match="not an allowed host"):
        rows(options)
    assert rows(changed(options, hosts=target)) == EXPECTED[:2]
    assert '"authorization"' in other.log()
    assert '"authorization"' not in web_folders.server.log()[before:]
    around = changed(options, addresses=f"a.csv = {other.origin}/round/a")
    with pytest.raises(SourceUnavailable, match="redirects"):
        rows(around)


def test_certificates_are_checked(
    files_folder: FilesFolder, web_folders: WebFolders, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = WebServer(files_folder.folder, tls=True, elsewhere=web_folders.server.origin)
    try:
        secured = WebFolders(files_folder, server)
        options = changed(secured.options(folder), tls="verify-full")
        assert rows(changed(options, tls="require")) == EXPECTED
        assert failed(options) == [("tls", "certificate")]
        with pytest.raises(SourceUnavailable, match="CERTIFICATE_VERIFY_FAILED"):
            rows(options)
        monkeypatch.setenv("SSL_CERT_FILE", server.certificate)
        assert rows(options) == EXPECTED
        # From an encrypted address nothing leads to clear text.
        clear = changed(options, url=f"{server.origin}/away/{folder}/", hosts=f"127.0.0.1:{web_folders.server.port}")
        assert failed(clear) == [("resource", "file-list")]
    finally:
        server.remove()


def test_parquet_is_read_by_its_parts(web_folders: WebFolders) -> None:
    name, out = web_folders.fresh_database("web"), io.BytesIO()
    numbers = list(range(50_000))
    pq.write_table(pa.table({"id": numbers, "name": [str(one) for one in numbers]}), out, row_group_size=10_000)
    web_folders.path(name, "orders.parquet").write_bytes(out.getvalue())
    wait_until(lambda: rests(web_folders.options(name)), 10, lambda: "still written")
    assert [(row[2], row[3]) for row in rows(web_folders.options(name))] == [(str(one), str(one)) for one in numbers]


def test_network_rules_hold(web_folders: WebFolders, folder: str) -> None:
    try:
        use(NetworkRules(loopback=False))
        (reachable,) = connector("webfiles").tester().test(web_folders.options(folder), "source")
        assert not reachable.ok
        assert "not allowed" in reachable.detail
    finally:
        use(NetworkRules())


@pytest.mark.parametrize("line", ["a.csv = ", "../a.csv = https://h/a", "x y z", "https://h/a#b", ".a = https://h/a"])
def test_lines_are_checked_when_they_are_saved(line: str) -> None:
    with pytest.raises(OptionsInvalid) as invalid:
        parse(WebFilesOptions, {"url": "https://h/", "listing": "lines", "addresses": f"ok.csv\n{line}"})
    assert (invalid.value.facts["option"], invalid.value.facts["line"]) == ("addresses", 2)
