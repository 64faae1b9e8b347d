"""Files of tables, as the library reads and writes them: through the store of the lake, and nowhere else.

The metadata of a table names its files by address. An address outside the lake is refused, so that a catalogue can not
lead to other buckets, hosts or files of this host.
"""

import io
from collections.abc import Mapping
from typing import Any, cast

import obstore
from pyiceberg.io import FileIO, InputFile, InputStream, OutputFile, OutputStream

from zcbus.connectors.lakes.reader import open_file

_PLACE = "zcbus.place"


def properties_of(store: Any, root: str) -> dict[str, Any]:
    """Properties of a catalogue whose files are these. `root`: address of the store, without a slash at its end."""
    return {"py-io-impl": f"{__name__}.{LakeFiles.__name__}", _PLACE: (store, root)}


class OutsideLake(OSError):
    """An address is not below the lake's."""


class LakeFiles(FileIO):
    """See FileIO. Raises OutsideLake, FileNotFoundError, and what the store raises."""

    def __init__(self, properties: Mapping[str, Any]) -> None:
        """As the library makes it; see `properties_of`."""
        super().__init__()
        self._store, self._root = properties[_PLACE]

    def new_input(self, location: str) -> InputFile:
        return _Input(location, self._store, self.path(location))

    def new_output(self, location: str) -> OutputFile:
        return _Output(location, self._store, self.path(location))

    def delete(self, location: str | InputFile | OutputFile) -> None:
        self._store.delete(self.path(location if isinstance(location, str) else location.location))

    def listed(self, location: str) -> list[tuple[str, float]]:
        """Addresses below a location, with the seconds since 1970 at which they were written."""
        found = self._store.list(f"{self.path(location)}/")
        return [(f"{self._root}/{one['path']}", one["last_modified"].timestamp()) for part in found for one in part]

    def path(self, location: str) -> str:
        """Where an address is in the store."""
        path = location.removeprefix(f"{self._root}/")
        if path == location or any(part in ("", ".", "..") for part in path.split("/")):
            raise OutsideLake(f"{location[:300]}: not in {self._root}")
        return path


class _Input(InputFile):
    def __init__(self, location: str, store: Any, path: str) -> None:
        super().__init__(location)
        self._store, self._path = store, path

    def __len__(self) -> int:
        return int(obstore.head(self._store, self._path)["size"])

    def exists(self) -> bool:
        try:
            obstore.head(self._store, self._path)
        except FileNotFoundError:
            return False
        return True

    def open(self, seekable: bool = True) -> InputStream:
        return cast("InputStream", open_file(self._store, self._path))


class _Output(OutputFile):
    def __init__(self, location: str, store: Any, path: str) -> None:
        super().__init__(location)
        self._store, self._path = store, path

    def __len__(self) -> int:
        return int(obstore.head(self._store, self._path)["size"])

    def exists(self) -> bool:
        return self.to_input_file().exists()

    def to_input_file(self) -> InputFile:
        return _Input(self.location, self._store, self._path)

    def create(self, overwrite: bool = False) -> OutputStream:
        return cast("OutputStream", _Written(self._store, self._path, overwrite=overwrite))


class _Written(io.BytesIO):
    """A file that is there, whole, once this is closed."""

    def __init__(self, store: Any, path: str, *, overwrite: bool) -> None:
        super().__init__()
        self._store, self._path = store, path
        self._mode = "overwrite" if overwrite else "create"

    def close(self) -> None:
        if not self.closed:
            obstore.put(self._store, self._path, self.getvalue(), mode=self._mode)  # type: ignore[arg-type]
            super().close()

    def __exit__(self, *details: object) -> None:
        if details[0] is None:
            self.close()
        else:
            super().close()
