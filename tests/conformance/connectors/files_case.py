"""Files in the conformance suite: a target whose rows are the newest records of their keys in a log of changes."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase
from tests.conformance.connectors.delta_case import DeltaCase


class FilesCase(Case):
    """See Case."""

    kind = "localfiles"
    speaks_sql = False
    writes_apart = True
    types: ClassVar[Sequence[TypeCase]] = ()
    received, refused = DeltaCase.received, DeltaCase.refused

    def schema(self, database: str) -> str:
        return "rows"

    def image(self, database: str, table: str) -> list[object]:
        return sorted(self.server.rows(database, table), key=lambda row: row["k"])


class SftpFilesCase(FilesCase):
    """The same behind SFTP."""

    kind = "sftp"


class S3FilesCase(FilesCase):
    """The same in a bucket."""

    kind = "s3"


class HdfsFilesCase(FilesCase):
    """The same in HDFS."""

    kind = "hdfs"
