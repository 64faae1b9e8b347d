"""A file of JSON lines that is appended to. It may be renamed at any time, as log rotation does."""

from collections.abc import Sequence
from pathlib import Path

import orjson

from zcbus.control.features.audit_stream.entries import Entry
from zcbus.control.features.audit_stream.errors import AuditReceiverError
from zcbus.kit.files import append_durably


class FileReceiver:
    """Entries are on disk when they count as taken."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def address(self) -> str:
        return str(self._path)

    def take(self, entries: Sequence[Entry]) -> None:
        lines = b"".join(orjson.dumps(entry.document) + b"\n" for entry in entries)
        try:
            append_durably(self._path, self._line_end() + lines, 0o600)
        except OSError as error:
            raise AuditReceiverError(receiver=self.address, detail=error.strerror or str(error)) from error

    def _line_end(self) -> bytes:
        """A crash may have left a part of a line."""
        try:
            with self._path.open("rb") as file:
                if file.seek(0, 2) == 0:
                    return b""
                file.seek(-1, 2)
                return b"" if file.read(1) == b"\n" else b"\n"
        except FileNotFoundError:
            return b""
