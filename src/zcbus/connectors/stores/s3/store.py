"""A folder in a bucket as a store."""

import io
import time
from typing import BinaryIO, cast

from zcbus.connectors.errors import AccessDenied, SourceFull, SourceNotReady, SourceUnavailable
from zcbus.connectors.stores.local import MAX_FILES, MAX_WRITTEN
from zcbus.connectors.stores.ranged import RangedFile
from zcbus.connectors.stores.s3.answers import Listed
from zcbus.connectors.stores.s3.client import S3Access, S3Client, S3Refusal
from zcbus.connectors.stores.store import StoredFile
from zcbus.kit.errors import ZcbusError

_MIN_READ, _MAX_READ = 64 << 10, 8 << 20
KEYS_A_PAGE = 1_000
"""The protocol's limit."""
MAX_PAGES = 2_000
"""Page limit: a server may report further pages without end."""
_MAX_WHOLE = 1 << 30
"""Bytes of an object that is read at once."""
_MISSING = 404
_TAKEN = frozenset({409, 412})
"""Answers to a condition that does not hold; 409: another request writes the object just now."""
_CLOCKS_DIFFER = "RequestTimeTooSkewed"
_NO_ROOM = 507
_FULL = frozenset({"QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"})
"""Codes of servers on own disks: Ceph's and MinIO's."""


class S3Store:
    """See WritableStore. Objects below the folder's prefix are files; those of which a part between two `/` is empty
    are left out, as are those of which one begins with a dot, unless they are asked for."""

    def __init__(self, access: S3Access, folder: str, seconds: float = 60.0) -> None:
        """`seconds`: how long the server may say nothing."""
        self._access, self._client = access, S3Client(access, seconds)
        self._prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        self._sizes: dict[str, int] = {}

    def files(self) -> list[StoredFile]:
        found = [file for file in self._listed(self._prefix, MAX_FILES) if not _is_hidden(file.name)]
        self._sizes = {file.name: file.size for file in found}
        return found

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """See WritableStore."""
        try:
            self._client.put(f"{self._prefix}{name}", data, only_new=only_new)
        except S3Refusal as refused:
            if only_new and refused.status in _TAKEN:
                raise FileExistsError(name) from refused
            raise translated(self._access, refused) from refused

    def get(self, name: str) -> bytes | None:
        """See WritableStore."""
        try:
            return self._client.whole(f"{self._prefix}{name}", _MAX_WHOLE)
        except S3Refusal as refused:
            if refused.status == _MISSING:
                return None
            raise translated(self._access, refused) from refused

    def move(self, name: str, to: str) -> bool:
        """See WritableStore: a copy, then a deletion."""
        try:
            self._client.copy(f"{self._prefix}{name}", f"{self._prefix}{to}")
        except S3Refusal as refused:
            if refused.status == _MISSING:
                return False
            raise translated(self._access, refused) from refused
        self.delete(name)
        return True

    def delete(self, name: str) -> None:
        """See WritableStore."""
        try:
            self._client.delete(f"{self._prefix}{name}")
        except S3Refusal as refused:
            if refused.status != _MISSING:
                raise translated(self._access, refused) from refused

    def below(self, folder: str) -> list[StoredFile]:
        """See WritableStore."""
        return self._listed(f"{self._prefix}{folder}/" if folder else self._prefix, MAX_WRITTEN)

    def _listed(self, prefix: str, most: int) -> list[StoredFile]:
        """All objects, by name."""
        found: list[StoredFile] = []
        following = ""
        for _ in range(MAX_PAGES):
            try:
                page = self._client.page(prefix, following, KEYS_A_PAGE)
            except S3Refusal as refused:
                raise translated(self._access, refused) from refused
            found.extend(file for one in page.objects if (file := self._file(one)) is not None)
            following = page.next
            if not following or len(found) > most:
                break
        if following or len(found) > most:
            raise self._client.unavailable(f"more than {most} files")
        return sorted(found, key=lambda file: file.name.encode())

    def now(self) -> float:
        return self._client.answered_at or time.time()

    def open(self, name: str) -> BinaryIO:
        """See Store. Objects that the last list lacks, or had with another size, are not found."""
        if name not in self._sizes:
            raise FileNotFoundError(name)
        opened = _Object(self._access, self._client, f"{self._prefix}{name}", self._sizes[name])
        return cast("BinaryIO", io.BufferedReader(opened, _MIN_READ))

    def identity(self) -> str:
        return f"{self._access.endpoint}/{self._access.bucket}/{self._prefix}"

    def close(self) -> None:
        self._client.close()

    def _file(self, one: Listed) -> StoredFile | None:
        if not one.key.startswith(self._prefix):
            raise self._client.unavailable("the list has what was not asked for")
        name = one.key[len(self._prefix) :]
        if not all(name.split("/")):
            return None
        return StoredFile(name, one.size, f"{one.etag}-{one.size}-{one.changed_at}", one.changed_at)


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


class _Object(RangedFile):
    """An object from the first part that is read on: once it was replaced, it is not found any more. Reads the more
    ahead the longer it is read in order."""

    def __init__(self, access: S3Access, client: S3Client, key: str, size: int) -> None:
        super().__init__(size)
        self._access, self._client, self._key = access, client, key
        self._etag, self._ahead = "", _MIN_READ
        self._part, self._part_at = memoryview(b""), 0

    def part(self, at: int, most: int) -> "memoryview[int]":
        if not self._part_at <= at < self._part_at + len(self._part):
            self._fetch(most)
        begin = at - self._part_at
        return self._part[begin : begin + most]

    def _fetch(self, headers_sent: int) -> None:
        in_order = bool(self._part) and self._at == self._part_at + len(self._part)
        self._ahead = min(_MAX_READ, 2 * self._ahead) if in_order else _MIN_READ
        size = min(max(self._ahead, min(headers_sent, _MAX_READ)), self._size - self._at)
        self._part = memoryview(b"")
        try:
            found, etag, total = self._client.part(self._key, self._at, size, self._etag)
        except S3Refusal as refused:
            if refused.status in (404, 412, 416):
                raise FileNotFoundError(self._key) from refused
            raise translated(self._access, refused) from refused
        # Some servers ignore the requested ETag.
        if total != self._size or (self._etag and etag != self._etag):
            raise FileNotFoundError(self._key)
        self._part, self._part_at, self._etag = memoryview(found), self._at, etag


def translated(access: S3Access, refused: S3Refusal) -> ZcbusError:
    """The connector's error for a server's."""
    where = {"kind": access.kind, "address": access.url}
    if refused.is_of_region:
        return SourceNotReady(**where, setting="region", value=access.region, expected=refused.region or str(refused))
    if refused.status == _NO_ROOM or refused.code in _FULL:
        return SourceFull(**where, detail=str(refused))
    if refused.status in (400, 401, 403) and refused.code != _CLOCKS_DIFFER:
        return AccessDenied(**where, user=access.key, detail=str(refused))
    return SourceUnavailable(**where, detail=str(refused))
