"""All files of a folder and the folders in it, on a server that is not trusted with names."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zcbus.connectors.stores.ftp.connection import FtpAccess, FtpConnection
from zcbus.connectors.stores.ftp.entries import Entry, NotAnEntry, of_facts, of_list
from zcbus.connectors.stores.local import MAX_FILES

MAX_FOLDERS, MAX_DEPTH = 20_000, 32
"""A link to a folder above shows itself as a folder on many servers, and would lead in circles."""
_AGED_SECONDS = 120.0


@dataclass(slots=True)
class _Moment:
    """The time of a file that LIST shows to the minute."""

    shown: str
    since: float
    """When LIST first showed it, by the monotonic clock."""
    moment: str = ""
    is_final: bool = False


class Listing:
    """Lists of one folder. Raises what FtpConnection raises."""

    def __init__(self, access: FtpAccess) -> None:
        self._access = access
        self._moments: dict[str, _Moment] = {}
        """By path, of servers without facts."""

    def files(self, connection: FtpConnection, root: str) -> dict[str, Entry]:
        """Files with size and time, by their path below `root`."""
        found: dict[str, Entry] = {}
        folders = [""]
        listed = 0
        while folders:
            folder = folders.pop()
            listed += 1
            for entry in self.of_folder(connection, root, folder):
                path = f"{folder}{entry.name}"
                if entry.is_folder:
                    folders.append(f"{path}/")
                else:
                    found[path] = self._completed(connection, root, path, entry)
            if len(found) > MAX_FILES:
                raise self._access.unavailable(f"more than {MAX_FILES} files")
            if listed + len(folders) > MAX_FOLDERS or folder.count("/") > MAX_DEPTH:
                raise self._access.unavailable(
                    f"{folder}: more than {MAX_FOLDERS} folders, or {MAX_DEPTH} in each other"
                )
        self._moments = {path: self._moments[path] for path in found if path in self._moments}
        return found

    def forget(self, path: str) -> None:
        """Its time is asked for again."""
        self._moments.pop(path, None)

    def of_folder(self, connection: FtpConnection, root: str, folder: str) -> Iterator[Entry]:
        """What is in one folder, without names that begin with a dot. `folder`: empty, or ends with `/`."""
        place = f"{root}/{folder}".rstrip("/") or "/"
        if connection.has_facts:
            lines = connection.lines(f"MLSD {place}")
        else:
            # Programs behind LIST read patterns and options out of an argument.
            connection.cwd(place)
            lines = connection.lines("LIST")
        for line in lines:
            entry = self._entry(connection, line)
            if entry is not None and not entry.name.startswith("."):
                self._confine(entry)
                yield entry

    def _entry(self, connection: FtpConnection, line: str) -> Entry | None:
        try:
            return of_facts(line) if connection.has_facts else of_list(line)
        except NotAnEntry as error:
            # A file that is left out would look removed.
            raise self._access.unavailable(f"a line of the list is not understood: {line}") from error

    def _confine(self, entry: Entry) -> None:
        if not entry.name or "/" in entry.name or any(ord(character) < ord(" ") for character in entry.name):
            raise self._access.unavailable(f"the list has what is no name: {entry.name!r}")

    def _completed(self, connection: FtpConnection, root: str, path: str, entry: Entry) -> Entry:
        """With the time by MDTM where the list has none. It is not asked for again once the minute that LIST shows is
        over by any clock: a later change shows another one."""
        if entry.size is not None and entry.moment:
            return entry
        now = time.monotonic()
        known = self._moments.get(path)
        if known is None or known.shown != entry.shown:
            known = _Moment(entry.shown, now)
        if not known.is_final:
            entry = connection.completed(entry, f"{root}/{path}")
            known.moment, known.is_final = entry.moment, now - known.since > _AGED_SECONDS
        if entry.shown:
            self._moments[path] = known
        return replace(entry, moment=known.moment)
