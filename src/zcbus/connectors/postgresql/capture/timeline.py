"""The server's timeline history, remembered over restarts.

A promoted standby continues its predecessor's log on a new timeline, from the position it had reached. What was
captured beyond that position never happened there, and other changes have the same positions.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import orjson

from zcbus.connectors.errors import LogPositionLost
from zcbus.connectors.postgresql.capture.lsn import format_lsn, parse_lsn
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.roles import SchemaHistory


@dataclass(frozen=True, slots=True)
class Lineage:
    """A server's current system identifier and timeline."""

    system: str
    """Identity of the database cluster, the same on its standbys."""
    timeline: int


def check_timeline(wire: WireConnection, history: SchemaHistory, requested: int, kind: str) -> None:
    """Record the server's lineage in the node's history.

    Raises LogPositionLost if the log up to `requested` was captured from a server whose log this one does not continue
    from there.
    """
    row = wire.query("IDENTIFY_SYSTEM")[0]
    now = Lineage(row[0] or "", int(row[1] or 0))
    kept = orjson.loads(history.read() or b"{}")
    before = Lineage(kept["system"], kept["timeline"]) if kept else now
    if before.system != now.system:
        raise _lost(kind, requested, f"database system {now.system} answers instead of {before.system}")
    if before.timeline != now.timeline:
        end = _ends(wire, now.timeline).get(before.timeline, 0)
        if requested > end:
            detail = f"timeline {now.timeline} left timeline {before.timeline} at {format_lsn(end)}"
            raise _lost(kind, requested, detail)
    if not kept or before != now:
        history.write(orjson.dumps({**kept, **asdict(now)}))


def _ends(wire: WireConnection, timeline: int) -> Mapping[int, int]:
    """The position at which each earlier timeline of a timeline ended."""
    if timeline == 1:
        return {}
    (_, content) = wire.query(f"TIMELINE_HISTORY {timeline}")[0]
    return ends_in(content or "")


def ends_in(content: str) -> dict[int, int]:
    """Parse a timeline history file: the position at which each earlier timeline ended."""
    lines = (line.split("#", 1)[0].split() for line in content.splitlines())
    return {int(words[0]): parse_lsn(words[1]) for words in lines if len(words) > 1}


def _lost(kind: str, requested: int, detail: str) -> LogPositionLost:
    return LogPositionLost(kind=kind, wanted=format_lsn(requested), oldest="", gap="", detail=detail)
