"""Kinds of folders of files in the conformance suite of sources by list. A kind has one line in CASES."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ListedCase:
    """One kind with running servers."""

    folders: str
    """The fixture of its folders, see tests.servers.csv_folder.CsvFolders."""
    checks: tuple[str, ...]
    """Items of the connection test before those of each table."""


CASES = {
    "ftp": ListedCase("ftp_folders", ("reachable", "tls", "login", "permissions")),
    "hdfs": ListedCase("hdfs_folders", ("reachable", "permissions")),
    "localfiles": ListedCase("csv_folders", ("reachable",)),
    "s3": ListedCase("s3_folders", ("reachable", "login", "bucket", "permissions")),
    "sftp": ListedCase("sftp_folders", ("reachable",)),
    "webfiles": ListedCase("web_folders", ("reachable", "resource", "permissions")),
}
"""By kind, which is the name in the tests' ids."""
