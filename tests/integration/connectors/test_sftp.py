"""Folders of a real SFTP server: who may sign in, and who is trusted."""

from typing import Any

import pytest

from tests.integration.engine.running import wait_until
from tests.servers.csv_folder import SftpFolders
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.registry import connector
from zcbus.connectors.sftp.spec import SftpOptions
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server


@pytest.fixture
def folder(sftp_folders: SftpFolders) -> str:
    name = sftp_folders.fresh_database("sftp")
    sftp_folders.given = {"rest": 0}
    sftp_folders.put(name, "orders/a.csv", ("id", "name"), [("1", "名"), ("2", "x")])
    wait_until(lambda: rests(sftp_folders.options(name)), 10, lambda: "still written")
    return name


def rests(options: SftpOptions) -> bool:
    with discover(options) as discoverer:
        try:
            return bool(discoverer.describe([TableName("files", "orders")]))
        except SourceUnavailable:
            return False


def changed(folders: SftpFolders, name: str, **values: object) -> SftpOptions:
    given = folders.options(name)
    return SftpOptions(**{**given.document(), **given.secrets(), **values})


def discover(options: SftpOptions) -> FilesDiscoverer:
    made: Any = connector("sftp").discoverer(options)
    return made  # type: ignore[no-any-return]


def rows(options: SftpOptions) -> list[dict[str, str]]:
    made = connector("sftp")
    with made.discoverer(options) as discoverer, made.reader(options, "source") as reader:
        (name,) = [one.name for one in discoverer.tables()]
        (schema,) = discoverer.describe([name])
        return [row for batch, _ in reader.read(schema, schema.key(), None, 10) for row in batch.to_pylist()]


def test_a_key_may_stand_in_one_line(sftp_folders: SftpFolders, folder: str) -> None:
    in_one_line = sftp_folders.server.key.replace("\n", " ")
    assert [row["name"] for row in rows(changed(sftp_folders, folder, key=in_one_line))] == ["名", "x"]


def test_an_untrusted_key_gets_no_secret(sftp_folders: SftpFolders, folder: str) -> None:
    server = sftp_folders.server
    options = changed(sftp_folders, folder, hostkey="")
    (result,) = connector("sftp").tester().test(options, "source")
    assert (result.ok, result.remedy, result.advice) == (False, server.host_key, "host-key")
    trusting = changed(sftp_folders, folder)
    server.restart_with_another_key()
    with pytest.raises(AccessDenied) as denied:
        rows(trusting)
    assert denied.value.facts["shown"] == server.host_key


def test_wrong_keys_and_folders(sftp_folders: SftpFolders, folder: str) -> None:
    for values in ({"user": "nobody-here"}, {"key": "nonsense"}, {"key": "", "password": "wrong"}):
        with pytest.raises(AccessDenied):
            rows(changed(sftp_folders, folder, **values))
    (result,) = connector("sftp").tester().test(changed(sftp_folders, folder, folder="/no/such"), "source")
    assert not result.ok
