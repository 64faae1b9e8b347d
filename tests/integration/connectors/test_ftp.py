"""Folders of real FTP servers: encryption, lists with and without facts, changed files, and lost connections."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.integration.engine.running import wait_until
from tests.servers.csv_folder import FtpFolders
from tests.servers.files import FilesFolder
from tests.servers.ftp import FtpServer
from zcbus.connectors.errors import AccessDenied, SourceNotReady, SourceUnavailable
from zcbus.connectors.ftp.access import store_of
from zcbus.connectors.ftp.spec import FtpOptions
from zcbus.connectors.registry import connector
from zcbus.kit.gateway_settings import parse_networks
from zcbus.kit.network import NetworkRules, use
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server
Serving = Callable[..., FtpFolders]


@pytest.fixture
def serving(files_folder: FilesFolder) -> Iterator[Serving]:
    """Servers by their options, and their folders."""
    made: list[FtpServer] = []

    def serve(**how: Any) -> FtpFolders:
        made.append(FtpServer(files_folder.folder, **how))
        return FtpFolders(files_folder, made[-1])

    yield serve
    for server in made:
        server.remove()


def filled(folders: FtpFolders) -> str:
    name = folders.fresh_database("ftp")
    folders.put(name, "orders/a.csv", ("id", "name"), [("1", "名"), ("2", "x")])
    folders.put(name, "orders/更多 files.csv", ("id", "name"), [("3", "y")])
    folders.put(name, ".hidden/a.csv", ("id",), [("9",)])
    wait_until(lambda: rests(folders.options(name)), 10, lambda: "still written")
    return name


def rests(options: FtpOptions) -> bool:
    with connector("ftp").discoverer(options) as discoverer:
        try:
            return bool(discoverer.describe([TableName("files", "orders")]))
        except SourceUnavailable as error:
            if "a moment ago" not in str(error.facts["detail"]):
                raise
            return False


def changed(folders: FtpFolders, name: str, **values: Any) -> FtpOptions:
    given = folders.options(name)
    return FtpOptions(**{**given.document(), **given.secrets(), **values})


def rows(options: FtpOptions) -> list[tuple[Any, ...]]:
    made = connector("ftp")
    with made.discoverer(options) as discoverer, made.reader(options, "source") as reader:
        (name,) = [one.name for one in discoverer.tables()]
        (schema,) = discoverer.describe([name])
        return [
            tuple(row.values()) for batch, _ in reader.read(schema, schema.key(), None, 10) for row in batch.to_pylist()
        ]


def failed(options: FtpOptions) -> list[tuple[str, str, str]]:
    return [
        (check.item, check.advice, check.remedy)
        for check in connector("ftp").tester().test(options, "source")
        if not check.ok
    ]


EXPECTED = [
    ("orders/a.csv", "1", "1", "名"),
    ("orders/a.csv", "2", "2", "x"),
    ("orders/更多 files.csv", "1", "3", "y"),
]


@pytest.mark.wide
@pytest.mark.parametrize("tls", ["none", "explicit", "implicit"])
@pytest.mark.parametrize("facts", [True, False], ids=["facts", "list"])
def test_records_come_as_from_a_disk(serving: Serving, tls: str, facts: bool) -> None:
    folders = serving(tls=tls, facts=facts)
    name = filled(folders)
    assert rows(folders.options(name)) == EXPECTED
    results = connector("ftp").tester().test(folders.options(name), "source")
    first = ["reachable", "login"] if tls == "none" else ["reachable", "tls", "login"]
    assert [result.item for result in results] == [*first, "permissions", "permissions"]
    assert all(result.ok for result in results)
    assert results[-1].detail == "_file, _record, id, name"


@pytest.mark.parametrize("facts", [True, False], ids=["facts", "list"])
def test_names_in_another_encoding(serving: Serving, facts: bool) -> None:
    folders = serving(names="gb18030", facts=facts)
    name = filled(folders)
    assert rows(folders.options(name)) == EXPECTED
    wrong = changed(folders, name, names="utf-8")
    with pytest.raises(SourceNotReady) as refused:
        rows(wrong)
    assert (refused.value.facts["setting"], refused.value.facts["expected"]) == ("names", "gb18030")
    assert failed(wrong) == [("permissions", "", "names = gb18030")]


def test_certificates_are_checked(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = serving(tls="explicit")
    name = filled(folders)
    checked = changed(folders, name, tls="verify-full")
    assert failed(checked) == [("tls", "certificate", "")]
    with pytest.raises(SourceUnavailable, match="CERTIFICATE_VERIFY_FAILED"):
        rows(checked)
    monkeypatch.setenv("SSL_CERT_FILE", folders.server.certificate)
    assert rows(checked) == EXPECTED


def test_a_server_without_tls_gets_no_password(serving: Serving) -> None:
    folders = serving(tls="none")
    name = filled(folders)
    encrypted = changed(folders, name, tls="verify-full")
    assert failed(encrypted) == [("tls", "no-tls", "tls = disable")]
    with pytest.raises(SourceNotReady):
        rows(encrypted)


def test_the_connection_test_names_what_is_wrong(serving: Serving) -> None:
    folders = serving(tls="explicit")
    name = filled(folders)
    assert failed(changed(folders, name, port=1)) == [("reachable", "address", "")]
    assert failed(changed(folders, name, password="wrong")) == [("login", "account", "")]
    assert failed(changed(folders, name, user="")) == [("login", "account", "")]
    assert failed(changed(folders, name, tls="disable")) == [("login", "account", "")]
    assert failed(changed(folders, name, implicit=True)) == [("tls", "tls-port", "")]
    assert failed(changed(folders, name, folder="/no/such")) == [("permissions", "address", "")]
    with pytest.raises(AccessDenied):
        rows(changed(folders, name, password="wrong"))


@pytest.mark.parametrize("facts", [True, False], ids=["facts", "list"])
def test_what_may_not_be_read_is_reported(serving: Serving, facts: bool) -> None:
    folders = serving(facts=facts)
    name = filled(folders)
    folders.put(name, "orders/locked.csv", ("id", "name"), [("1", "1")])
    with pytest.raises(AccessDenied, match=r"locked\.csv"):
        wait_until(lambda: rows(folders.options(name)) == [], 10, lambda: "read")
    assert failed(folders.options(name)) == [("permissions", "files", "")]


@pytest.mark.parametrize("facts", [True, False], ids=["facts", "list"])
def test_changes_are_seen_and_gone_files_are_not_found(serving: Serving, facts: bool) -> None:
    folders = serving(facts=facts)
    name = filled(folders)
    store = store_of(folders.options(name))
    first = {file.name: file for file in store.files()}
    assert list(first) == ["orders/a.csv", "orders/更多 files.csv"]
    opened = store.open("orders/a.csv")
    folders.put(name, "orders/a.csv", ("id", "name"), [("1", "names are longer")])
    with pytest.raises(FileNotFoundError):
        opened.read()
    second = {file.name: file for file in store.files()}
    assert first["orders/a.csv"].version != second["orders/a.csv"].version
    assert first["orders/更多 files.csv"] == second["orders/更多 files.csv"]
    assert second["orders/a.csv"].changed_at > store.now()
    folders.path(name, "orders/a.csv").unlink()
    with pytest.raises(FileNotFoundError):
        store.open("orders/a.csv").read()
    store.close()


def test_files_are_read_from_any_place_and_beside_each_other(ftp_folders: FtpFolders) -> None:
    name = ftp_folders.fresh_database("ftp")
    data = b"".join(b"%9d\n" % number for number in range(600_000))
    for file in ("big.csv", "other.csv"):
        ftp_folders.path(name, file).write_bytes(data)
    store = store_of(ftp_folders.options(name))
    assert [file.size for file in store.files()] == [len(data), len(data)]
    with store.open("big.csv") as big, store.open("other.csv") as other:
        halves = [(big.read(3_000_000), other.read(3_000_000)), (big.read(), other.read())]
        assert b"".join(half[0] for half in halves) == b"".join(half[1] for half in halves) == data
        for place in (-10, -2_000_000, -len(data)):
            big.seek(place, 2)
            assert big.read(10) == data[place:][:10]
    store.close()


def test_parquet_is_read_as_from_a_disk(ftp_folders: FtpFolders) -> None:
    name, out = ftp_folders.fresh_database("ftp"), io.BytesIO()
    numbers = list(range(50_000))
    pq.write_table(pa.table({"id": numbers, "name": [str(one) for one in numbers]}), out, row_group_size=10_000)
    ftp_folders.path(name, "orders.parquet").write_bytes(out.getvalue())
    wait_until(lambda: rests(ftp_folders.options(name)), 10, lambda: "still written")
    assert [(row[2], row[3]) for row in rows(ftp_folders.options(name))] == [(str(one), str(one)) for one in numbers]


def test_a_file_that_grows_is_read_up_to_what_was_listed(ftp_folders: FtpFolders) -> None:
    name = ftp_folders.fresh_database("ftp")
    path = ftp_folders.path(name, "log.csv")
    path.write_bytes(b"id\n1\n")
    store = store_of(changed(ftp_folders, name, growing=True))
    store.files()
    with path.open("ab") as out:
        out.write(b"2\n" * 500_000)
    assert store.open("log.csv").read() == b"id\n1\n"
    assert store.files()[0].size == 1_000_005
    store.close()


@pytest.mark.wide
def test_lost_connections_are_replaced(serving: Serving) -> None:
    folders = serving(tls="explicit", idle=1)
    name = filled(folders)
    data = b"".join(b"%9d\n" % number for number in range(1_000_000))
    folders.path(name, "big.csv").write_bytes(data)
    store = store_of(folders.options(name))
    store.files()
    wait_until(lambda: "421" in folders.server.log() or "timed out" in folders.server.log(), 10, folders.server.log)
    assert len(store.files()) == 3
    with store.open("big.csv") as big:
        begin = big.read(1_000_000)
        folders.server.stop()
        folders.server.start()
        assert begin + big.read() == data
        big.seek(5)
        folders.server.stop()
        with pytest.raises(SourceUnavailable):
            big.read(5_000_000)
        folders.server.start()
    assert len(store.files()) == 3
    store.close()


def test_network_rules_hold(ftp_folders: FtpFolders) -> None:
    name = filled(ftp_folders)
    try:
        for rules in (NetworkRules(loopback=False), NetworkRules(allow=parse_networks("10.0.0.0/8"))):
            use(rules)
            (reachable,) = connector("ftp").tester().test(ftp_folders.options(name), "source")
            assert not reachable.ok
            assert "not allowed" in reachable.detail
            with pytest.raises(SourceUnavailable, match="not allowed"):
                rows(ftp_folders.options(name))
    finally:
        use(NetworkRules())
