"""Databases in files, as the suites see a server: a folder of files."""

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

from zcbus.connectors.registry import spec_of

TENANT = "default"


class FilesFolder:
    """The folder for files of this process; workers that it starts inherit it."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="zcbus-files-")
        self.folder = Path(self._made.name) / TENANT
        self.folder.mkdir()
        self._before = os.environ.get("ZCBUS_FILES_DIR")
        os.environ["ZCBUS_FILES_DIR"] = self._made.name

    def remove(self) -> None:
        if self._before is None:
            os.environ.pop("ZCBUS_FILES_DIR")
        else:
            os.environ["ZCBUS_FILES_DIR"] = self._before
        self._made.cleanup()


class FileDatabases(ABC):
    """Databases of one kind in the folder."""

    kind: ClassVar[str]

    def __init__(self, files: FilesFolder) -> None:
        self.folder = files.folder
        self._number = 0

    def fresh_database(self, prefix: str) -> str:
        self._number += 1
        name = f"{prefix}_{self._number}.{self.kind}"
        self.create_database(name)
        return name

    def options(self, database: str) -> Any:
        return spec_of(self.kind).model(file=database, tenant=TENANT)  # type: ignore[call-arg]

    def drop_database(self, name: str) -> None:
        for path in self.folder.glob(f"{name}*"):
            path.unlink()

    @abstractmethod
    def create_database(self, name: str) -> None:
        """An empty one."""

    @abstractmethod
    def connect(self, database: str) -> AbstractContextManager[Any]:
        """A connection in autocommit mode."""

    @abstractmethod
    def execute(self, sql: str, database: str) -> None:
        """Run statements."""

    @abstractmethod
    def rows(self, sql: str, database: str) -> Sequence[tuple[Any, ...]]:
        """All rows of a query."""
