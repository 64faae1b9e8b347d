"""GTID sets of MySQL and MariaDB: they determine on another server which transactions were read already."""

import struct
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from zcbus.connectors.errors import LogPositionLost, SourceUnavailable
from zcbus.connectors.mysql.binlog.tagged import varying_text
from zcbus.connectors.mysql.capture.position import LogFile, log_identity
from zcbus.connectors.mysql.connection.session import Session

Interval = tuple[int, int]
"""First number, and the one after the last."""
SourceIntervals = tuple[str, Interval]
"""A server's identifier, with its tag after a colon if there is one, and a range of transaction numbers."""

_NO_TAGS, _WITH_TAGS = 0, 1
"""Forms of a set, in the highest byte of its first number."""
_TAGS_SINCE = (8, 3, 0)


class GtidSet(Protocol):
    """The transactions of a log that were read. `str` gives the server's notation."""

    def add(self, source: str, number: int) -> None:
        """A transaction ended. MariaDB: `source` is domain and server, as `0-1`."""


class MariaDBGtids:
    """MariaDB's order in each domain is the same on all servers, so the last one of each domain is sufficient."""

    def __init__(self, text: str = "") -> None:
        self._last = {_domain(gtid): gtid for gtid in filter(None, text.split(","))}

    def add(self, source: str, number: int) -> None:
        gtid = f"{source}-{number}"
        self._last[_domain(gtid)] = gtid

    def missing_in(self, state: str) -> str:
        """Those that a server lacks whose log has this `gtid_binlog_state`."""
        known = dict(gtid.rsplit("-", 1) for gtid in state.split(",") if gtid)
        lacking = [gtid for gtid in self._last.values() if not _reaches(known, gtid)]
        return ",".join(lacking)

    def __str__(self) -> str:
        return ",".join(self._last.values())


def _domain(gtid: str) -> str:
    return gtid.split("-", 1)[0]


def _reaches(known: dict[str, str], gtid: str) -> bool:
    source, number = gtid.rsplit("-", 1)
    return int(known.get(source, 0)) >= int(number)


@dataclass
class MySQLGtids:
    """MySQL numbers each server's transactions, those with a tag separately; they may arrive in any order."""

    _intervals: dict[str, list[Interval]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "MySQLGtids":
        """Inverse of str."""
        gtids = cls()
        for part in filter(None, text.replace("\n", "").split(",")):
            server, *members = (member.strip() for member in part.split(":"))
            source = server
            for member in members:
                first, _, last = member.partition("-")
                if first.isdigit():
                    gtids.add_run(source, (int(first), int(last or first) + 1))
                else:
                    source = f"{server}:{member}"  # the following ranges have this tag
        return gtids

    @property
    def has_tags(self) -> bool:
        """Whether any of the transactions has a tag; servers before 8.3 don't know such sets."""
        return any(":" in source for source in self._intervals)

    def add(self, source: str, number: int) -> None:
        self.add_run(source, (number, number + 1))

    def add_run(self, source: str, run: Interval) -> None:
        """A run of one server's transactions."""
        runs = self._intervals.setdefault(source.lower(), [])
        if runs and runs[-1][0] <= run[0] <= runs[-1][1]:  # the usual one: the next
            runs[-1] = (runs[-1][0], max(runs[-1][1], run[1]))
        else:
            runs[:] = _joined([*runs, run])

    def encoded(self) -> bytes:
        """As the request for the log has it (`Gtid_set::encode` in MySQL's `sql/rpl_gtid_set.cc`)."""
        count, tagged = len(self._intervals), self.has_tags
        parts = [struct.pack("<Q", _WITH_TAGS << 56 | count << 8 | _WITH_TAGS if tagged else count)]
        for source, runs in self._intervals.items():
            server, _, tag = source.partition(":")
            parts.append(uuid.UUID(server).bytes)
            if tagged:
                parts.append(bytes([len(tag) << 1]) + tag.encode("ascii"))
            parts += [struct.pack("<Q", len(runs)), *(struct.pack("<QQ", *run) for run in runs)]
        return b"".join(parts)

    def __str__(self) -> str:
        servers: dict[str, str] = {}
        for source, runs in sorted(self._intervals.items()):
            server, _, tag = source.partition(":")
            source_parts = [servers.get(server, server), *([tag] if tag else ()), *map(_run_text, runs)]
            servers[server] = ":".join(source_parts)
        return ",".join(servers.values())


def _joined(runs: Iterable[Interval]) -> list[Interval]:
    joined: list[Interval] = []
    for first, behind in sorted(runs):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], behind))
        else:
            joined.append((first, behind))
    return joined


def _run_text(run: Interval) -> str:
    return str(run[0]) if run[1] == run[0] + 1 else f"{run[0]}-{run[1] - 1}"


def parse_previous(body: bytes) -> list[SourceIntervals] | None:
    """The set in a PREVIOUS_GTIDS event; None: it has a newer server's format. See `MySQLGtids.encoded`."""
    (first,), at = struct.unpack_from("<Q", body), 8
    form = first >> 56
    if form not in (_NO_TAGS, _WITH_TAGS):
        return None
    found: list[SourceIntervals] = []
    for _ in range((first & (1 << 56) - 1) >> (8 if form == _WITH_TAGS else 0)):
        source, at = _source(body, at, form)
        (runs,), at = struct.unpack_from("<Q", body, at), at + 8
        found += [(source, struct.unpack_from("<QQ", body, at + 16 * run)) for run in range(runs)]
        at += 16 * runs
    return found


def _source(body: bytes, at: int, form: int) -> tuple[str, int]:
    """Whose transactions follow, and where."""
    server, at = str(uuid.UUID(bytes=body[at : at + 16])), at + 16
    tag, at = varying_text(body, at) if form == _WITH_TAGS else ("", at)
    return f"{server}:{tag}" if tag else server, at


def gtids_at(session: Session, file: LogFile, offset: int, gtid_set: str) -> GtidSet | None:
    """The set at a position of this server's log; None: the server has none.

    `gtid_set`: the known set. Empty: unknown, and MySQL's set, which then starts empty, must be read from the start of
    the file.
    """
    if session.version.mariadb:
        if not gtid_set:
            found = session.rows("SELECT BINLOG_GTID_POS(%s, %s)", [file.name, offset])[0][0]
            return None if found is None else MariaDBGtids(found.decode() if isinstance(found, bytes) else str(found))
        return MariaDBGtids(gtid_set)
    return MySQLGtids.parse(gtid_set) if session.variable("gtid_mode").upper() == "ON" else None


def check_contains(session: Session, gtid_set: str) -> None:
    """Check that another server's log continues the one that was read so far.

    Raises LogPositionLost if the log lacks transactions that were read or that follow; SourceUnavailable while the
    server is read-only and so may still receive them.
    """
    missing = _missing(session, gtid_set)
    options = session.options
    if missing and session.variable("read_only").upper() not in ("", "OFF"):
        detail = f"a replica answers that lacks {missing}"
        raise SourceUnavailable(kind=options.kind, address=options.address, detail=detail)
    if missing:
        raise _lost(session, gtid_set, f"{log_identity(session)} lacks {missing}, which was read already")
    if not session.version.mariadb:
        purged = session.rows("SELECT GTID_SUBTRACT(@@GLOBAL.gtid_purged, %s)", [gtid_set])[0][0]
        if purged:
            raise _lost(session, gtid_set, f"{log_identity(session)} no longer has {purged}")


def _missing(session: Session, gtid_set: str) -> str:
    if session.version.mariadb:
        return MariaDBGtids(gtid_set).missing_in(session.variable("gtid_binlog_state"))
    if session.variable("gtid_mode").upper() != "ON":
        return gtid_set
    if MySQLGtids.parse(gtid_set).has_tags and session.version.number < _TAGS_SINCE:
        return gtid_set  # such a server never had a transaction with a tag, and does not parse tags
    return str(session.rows("SELECT GTID_SUBTRACT(%s, @@GLOBAL.gtid_executed)", [gtid_set])[0][0])


def _lost(session: Session, gtid_set: str, detail: str) -> LogPositionLost:
    return LogPositionLost(kind=session.options.kind, wanted=gtid_set, detail=detail)
