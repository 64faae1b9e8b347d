"""Folders of a real S3 server: access, connection test, and replaced objects."""

import io
from typing import Any

import pytest
import xlsxwriter

from tests.servers.csv_folder import S3Folders
from tests.servers.s3 import LISTER
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.registry import connector
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores.s3 import S3Store

pytestmark = pytest.mark.server
_PART = 5 << 20


@pytest.fixture
def folder(s3_folders: S3Folders) -> str:
    name = s3_folders.fresh_database("files")
    s3_folders.put(name, "orders/a.csv", ("id", "name"), [("1", "名"), ("2", "x")])
    return name


def changed(folders: S3Folders, name: str, **values: Any) -> S3Options:
    given = folders.options(name)
    return S3Options(**{**given.document(), **given.secrets(), **values})


def store(folders: S3Folders, name: str) -> S3Store:
    return S3Store(access_of(folders.options(name)), name)


def rows(options: S3Options) -> list[dict[str, str]]:
    made = connector("s3")
    with made.discoverer(options) as discoverer, made.reader(options, "source") as reader:
        (name,) = [one.name for one in discoverer.tables()]
        (schema,) = discoverer.describe([name])
        return [row for batch, _ in reader.read(schema, schema.key(), None, 10) for row in batch.to_pylist()]


def test_names_sizes_and_versions(s3_folders: S3Folders, folder: str) -> None:
    server = s3_folders.server
    names = ["orders/we ird+ü&'(1)*%2F.csv", "orders/空.csv", "z/y/x.csv"]
    for name in (*names, ".hidden/a.csv", "orders/.hidden.csv"):
        server.put(f"{folder}/{name}", name.encode())
    server.put(f"{folder}-other/a.csv", b"of another folder")
    opened = store(s3_folders, folder)
    first = {file.name: file for file in opened.files()}
    assert list(first) == sorted(["orders/a.csv", *names], key=str.encode)
    for name in names:
        assert opened.open(name).read() == name.encode()
    server.put(f"{folder}/z/y/x.csv", b"Z/Y/X.CSV")
    second = {file.name: file for file in opened.files()}
    assert {name for name in second if first[name].version != second[name].version} == {"z/y/x.csv"}
    assert first["z/y/x.csv"].size == second["z/y/x.csv"].size
    assert abs(second["z/y/x.csv"].changed_at - opened.now()) < 30
    opened.close()


def test_workbooks_are_read_as_from_a_disk(s3_folders: S3Folders) -> None:
    name, out = s3_folders.fresh_database("files"), io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate([("id", "price"), (1, 2.5), (2, 3.0)]):
            sheet.write_row(number, 0, row)
    s3_folders.server.put(f"{name}/orders.xlsx", out.getvalue())
    found = rows(s3_folders.options(name))
    assert [(row["id"], row["price"]) for row in found] == [("1", "2.5"), ("2", "3")]


def test_a_list_of_several_parts(s3_folders: S3Folders, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setattr("zcbus.connectors.stores.s3.store.KEYS_A_PAGE", 2)
    for number in range(5):
        s3_folders.server.put(f"{folder}/{number}.csv", b"a\n")
    opened = store(s3_folders, folder)
    assert [file.name for file in opened.files()] == ["0.csv", "1.csv", "2.csv", "3.csv", "4.csv", "orders/a.csv"]
    monkeypatch.setattr("zcbus.connectors.stores.s3.store.MAX_FILES", 4)
    with pytest.raises(SourceUnavailable, match="more than 4 files"):
        opened.files()
    opened.close()


def test_an_object_that_is_replaced_while_it_is_read_is_not_mixed(s3_folders: S3Folders, folder: str) -> None:
    data = b"".join(b"%9d\n" % number for number in range(1_200_000))
    s3_folders.server.put(f"{folder}/big.csv", data, _PART)
    opened = store(s3_folders, folder)
    opened.files()
    with opened.open("big.csv") as file:
        assert file.read() == data
    with opened.open("big.csv") as file:
        file.seek(-10, 2)
        assert file.read() == data[-10:]
        s3_folders.server.put(f"{folder}/big.csv", data[::-1], _PART)
        file.seek(0)
        with pytest.raises(FileNotFoundError):
            file.read(10)
    s3_folders.server.put(f"{folder}/big.csv", b"short")
    with opened.open("big.csv") as file, pytest.raises(FileNotFoundError):
        file.read(10)
    opened.close()


@pytest.mark.parametrize(
    ("values", "failed", "code"),
    [
        ({"endpoint": "http://127.0.0.1:1"}, "reachable", "refused"),
        ({"accesskey": "NOBODY"}, "login", "InvalidAccessKeyId"),
        ({"secretkey": "wrong"}, "login", "SignatureDoesNotMatch"),
        ({"bucket": "nothere"}, "bucket", "NoSuchBucket"),
        ({"accesskey": LISTER, "secretkey": LISTER.lower()}, "permissions", "AccessDenied"),
    ],
)
def test_the_connection_test_names_what_is_missing(
    s3_folders: S3Folders, folder: str, values: dict[str, str], failed: str, code: str
) -> None:
    results = connector("s3").tester().test(changed(s3_folders, folder, **values), "source")
    assert [result.item for result in results if not result.ok] == [failed]
    assert code in results[-1].detail


def test_only_the_options_sign_in(s3_folders: S3Folders, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rows(s3_folders.options(folder))
    assert [row["name"] for row in expected] == ["名", "x"]
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "nonsense")
    for name in ("AWS_ENDPOINT_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert rows(s3_folders.options(folder)) == expected
    with pytest.raises(AccessDenied):
        rows(changed(s3_folders, folder, secretkey="wrong"))
