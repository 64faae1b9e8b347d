"""Files behind HTTP as a store."""

import io
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import BinaryIO, cast

from zcbus.connectors.stores.local import MAX_FILES
from zcbus.connectors.stores.ranged import RangedFile
from zcbus.connectors.stores.store import StoredFile
from zcbus.connectors.stores.web.client import Gone, WebAccess, WebClient, shown
from zcbus.connectors.stores.web.facts import Facts
from zcbus.connectors.stores.web.listing import Listing
from zcbus.connectors.stores.web.spool import NotSpooled, Spool, unpacked

_MIN_READ, _MAX_READ = 64 << 10, 8 << 20
_UNSTEADY = 3
"""So often in succession a server may have said that a file changed before its content is compared."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A file of the last list."""

    url: str
    stored: StoredFile
    facts: Facts | None
    """None: what the server says is of no use, and the content was compared."""
    refusal: str = ""
    """Why it cannot be read."""
    changes: int = 0
    """Lists in succession that had another version."""
    misses: int = 0
    """Readings of this version that found another one."""
    is_whole: bool = False
    """The server does not give parts of it, or its bytes must be unpacked."""

    @property
    def is_compared(self) -> bool:
        """By its content, since what the server says does not hold."""
        return self.facts is None and not self.refusal


class WebStore:
    """See Store. What a server says of a file (ETag, Last-Modified, length) is its version where it says enough, else
    a hash of its content. A file that cannot be read raises OSError with the reason when it is opened."""

    def __init__(
        self,
        access: WebAccess,
        listing: Listing,
        is_selected: Callable[[str], bool],
        most_bytes: int,
        *,
        growing: bool = False,
        seconds: float = 60.0,
    ) -> None:
        """`is_selected`: others are not asked for. `most_bytes`: of one file, and of what is kept on disk. `growing`:
        files may have grown since they were listed. `seconds`: how long a server may say nothing."""
        self._access, self._listing, self._is_selected = access, listing, is_selected
        self._most, self._growing = most_bytes, growing
        self._client = WebClient(access, seconds)
        self._known: dict[str, _Known] = {}
        self._spools: OrderedDict[str, tuple[str, Spool]] = OrderedDict()
        """By name: the version, and its content."""
        self._listed_at = 0.0

    def files(self) -> list[StoredFile]:
        found: dict[str, _Known] = {}
        began = time.time()
        for name, url in self._listing.files(self._client, self._is_selected).items():
            if len(found) >= MAX_FILES:
                raise self._access.unavailable(f"more than {MAX_FILES} files")
            if (known := self._look(name, url)) is not None:
                found[name] = known
        self._known, self._listed_at = found, began
        return sorted((known.stored for known in found.values()), key=lambda file: file.name.encode())

    def now(self) -> float:
        # Times have whole seconds: within the same second a file may be written again.
        return time.time() - 1

    def open(self, name: str) -> BinaryIO:
        """See Store. Further: OSError with the reason if the file cannot be read."""
        known = self._known.get(name)
        if known is None:
            raise FileNotFoundError(name)
        if known.refusal:
            raise NotSpooled(known.refusal)
        if known.is_whole or known.is_compared:
            return cast("BinaryIO", io.BufferedReader(self.whole(name)))
        return cast("BinaryIO", io.BufferedReader(_Parts(self, name, known.stored.size), _MIN_READ))

    def identity(self) -> str:
        return self._access.url

    def close(self) -> None:
        self._client.close()
        for _, spool in self._spools.values():
            spool.close()
        self._spools.clear()

    def part(self, name: str, start: int, size: int) -> bytes | None:
        """Bytes of the listed version of a file; None: the server gives it whole only. Raises FileNotFoundError."""
        known = self._known[name]
        try:
            answered = self._client.part(known.url, start, size)
        except Gone as error:
            raise self._other_version(name) from error
        if answered is None:
            self._known[name] = replace(known, is_whole=True)
            return None
        facts, data = answered
        if not data or not self._is_listed(known.stored, facts, facts.size):
            raise self._other_version(name)
        return data

    def whole(self, name: str) -> io.RawIOBase:
        """The listed version of a file, from disk. Raises FileNotFoundError, OSError with a reason."""
        known = self._known[name]
        version, spool = self._spools.get(name, ("", None))
        if spool is None or version != known.stored.version:
            spool = self._listed_content(name, known)
            self._keep(name, known.stored.version, spool)
        return spool.opened()

    def _listed_content(self, name: str, known: _Known) -> Spool:
        try:
            facts, spool = self._fetched(name, known.url)
        except Gone as error:
            raise self._other_version(name) from error
        is_same = known.is_compared and spool.digest == known.stored.version
        if not is_same and (known.is_compared or not self._is_listed(known.stored, facts, spool.size)):
            spool.close()
            raise self._other_version(name)
        return spool

    def _is_listed(self, stored: StoredFile, facts: Facts, size: int | None) -> bool:
        if size is None:
            return False
        return size >= stored.size if self._growing else facts.version(size) == stored.version

    def _other_version(self, name: str) -> FileNotFoundError:
        known = self._known[name]
        self._known[name] = replace(known, misses=known.misses + 1)
        return FileNotFoundError(name)

    def _look(self, name: str, url: str) -> _Known | None:
        """What is known of a file now; None: there is none."""
        before = self._known.get(name)
        if before is not None and before.url != url:
            before = None
        try:
            if before is not None and self._is_unsteady(before):
                return self._compared(name, url, before)
            facts = self._client.about(url, before.facts if before is not None else None)
            if facts is None:
                assert before is not None
                return replace(before, changes=0)
            return self._by_facts(name, url, facts, before)
        except Gone:
            return None
        except NotSpooled as error:
            return _refused(name, url, str(error))

    def _is_unsteady(self, known: _Known) -> bool:
        """What the server says of a file is of no use."""
        changes = 0 if self._growing else known.changes
        return known.is_compared or known.misses >= _UNSTEADY or changes >= _UNSTEADY

    def _by_facts(self, name: str, url: str, facts: Facts, before: _Known | None) -> _Known:
        if facts.is_page:
            return _refused(name, url, "the server sends a page (text/html) instead of the file")
        facts = _plain(name, facts)
        if facts.is_encoded and not facts.is_packed:
            return _refused(name, url, f"Content-Encoding {facts.encoding[:50]}")
        if (facts.size or 0) > self._most:
            return _refused(name, url, f"more than {self._most >> 20} MiB")
        size = facts.size
        if before is not None and before.facts is not None and before.is_whole and before.facts.has_same_content(facts):
            return replace(before, changes=0)
        if facts.is_encoded or size is None:
            return self._measured(name, url, before)
        if not facts.version(size) or (before is None and not self._is_steady(url, facts)):
            return self._compared(name, url, before)
        return self._seen(name, url, facts, size, before)

    def _is_steady(self, url: str, facts: Facts) -> bool:
        """Whether a server says the same of a file twice; some make up times and tags for each response."""
        if self._growing:
            return True
        again = self._client.about(url)
        return again is not None and (again.etag, again.modified) == (facts.etag, facts.modified)

    def _measured(self, name: str, url: str, before: _Known | None) -> _Known:
        """A file whose size is known once it is here."""
        facts, spool = self._fetched(name, url)
        version = facts.version(spool.size)
        if not version:
            return self._of_content(name, url, spool, before)
        self._keep(name, version, spool)
        return replace(self._seen(name, url, facts, spool.size, before), is_whole=True)

    def _compared(self, name: str, url: str, before: _Known | None) -> _Known:
        return self._of_content(name, url, self._fetched(name, url)[1], before)

    def _of_content(self, name: str, url: str, spool: Spool, before: _Known | None) -> _Known:
        self._keep(name, spool.digest, spool)
        if before is not None and before.stored.version == spool.digest:
            return before
        return _Known(url, StoredFile(name, spool.size, spool.digest, self._listed_at), None)

    def _seen(self, name: str, url: str, facts: Facts, size: int, before: _Known | None) -> _Known:
        version = facts.version(size)
        if before is not None and before.stored.version == version:
            return replace(before, facts=facts, changes=0)
        # Without a time of its own it changed between two lists.
        changed = self._listed_at if facts.age is None else time.time() - facts.age
        changes = before.changes + 1 if before is not None else 0
        whole = before is not None and before.is_whole
        return _Known(url, StoredFile(name, size, version, changed), facts, changes=changes, is_whole=whole)

    def _fetched(self, name: str, url: str) -> tuple[Facts, Spool]:
        """The content, and what the server says of it. Raises NotSpooled, Gone."""
        with self._client.content(url) as response:
            facts = _plain(name, Facts.of(response))
            if facts.is_page:
                raise NotSpooled("the server sends a page (text/html) instead of the file")
            if facts.is_encoded and not facts.is_packed:
                raise NotSpooled(f"Content-Encoding {facts.encoding[:50]}")
            if not facts.is_bounded and not facts.is_encoded:
                raise NotSpooled("neither Content-Length nor chunks: a content that was cut would look whole")
            parts = self._client.body(response)
            spool = Spool()
            try:
                for part in unpacked(parts) if facts.is_encoded else parts:
                    spool.add(part, self._most)
            except BaseException:
                spool.close()
                raise
        return facts, spool

    def _keep(self, name: str, version: str, spool: Spool) -> None:
        if name in self._spools:
            self._spools.pop(name)[1].close()
        self._spools[name] = (version, spool)
        while len(self._spools) > 1 and sum(one.size for _, one in self._spools.values()) > self._most:
            self._spools.popitem(last=False)[1][1].close()


class _Parts(RangedFile):
    """A file by its parts, all of the listed version. Reads the more ahead the longer it is read in order."""

    def __init__(self, store: WebStore, name: str, size: int) -> None:
        super().__init__(size)
        self._store, self._name, self._ahead = store, name, _MIN_READ
        self._part, self._part_at = memoryview(b""), 0
        self._spooled: io.RawIOBase | None = None

    def part(self, at: int, most: int) -> "bytes | memoryview[int]":
        if self._spooled is None and not self._part_at <= at < self._part_at + len(self._part):
            self._fetch(most)
        if self._spooled is not None:
            self._spooled.seek(at)
            return self._spooled.read(most) or b""
        begin = at - self._part_at
        return self._part[begin : begin + most]

    def close(self) -> None:
        if self._spooled is not None:
            self._spooled.close()
        super().close()

    def _fetch(self, asked: int) -> None:
        in_order = bool(self._part) and self._at == self._part_at + len(self._part)
        self._ahead = min(_MAX_READ, 2 * self._ahead) if in_order else _MIN_READ
        size = min(max(self._ahead, min(asked, _MAX_READ)), self._size - self._at)
        self._part = memoryview(b"")
        found = self._store.part(self._name, self._at, size)
        if found is None:
            self._spooled = self._store.whole(self._name)
        else:
            self._part, self._part_at = memoryview(found), self._at


def _refused(name: str, url: str, reason: str) -> _Known:
    # A size and a version of its own, so that it is opened, and refused with the reason.
    stored = StoredFile(name, 1, f"refused: {reason}", 0.0)
    return _Known(url, stored, None, f"{shown(url)}: {reason}")


def _plain(name: str, facts: Facts) -> Facts:
    """Servers take what is in a packed file for the encoding of another: the bytes are the file's own."""
    return replace(facts, encoding="") if name.endswith(".gz") and facts.is_packed else facts
