"""Which history of a server the log that was captured belongs to, kept over restarts.

A standby that is promoted goes on with its predecessor's log on a new timeline, from the place that it had got to.
What was captured beyond that place never happened there, and other changes have the same positions.
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
    """A server's log as it is now."""

    system: str
    """Identity of the database cluster, the same on its standbys."""
    timeline: int


def keep_to(wire: WireConnection, history: SchemaHistory, wanted: int, kind: str) -> None:
    """Note the server's lineage in the node's history. Raises LogPositionLost where the log up to `wanted` was captured
    from a server whose log this one does not go on with from there."""
    row = wire.query("IDENTIFY_SYSTEM")[0]
    now = Lineage(row[0] or "", int(row[1] or 0))
    kept = orjson.loads(history.read() or b"{}")
    before = Lineage(kept["system"], kept["timeline"]) if kept else now
    if before.system != now.system:
        raise _lost(kind, wanted, f"database system {now.system} answers instead of {before.system}")
    if before.timeline != now.timeline:
        end = _ends(wire, now.timeline).get(before.timeline, 0)
        if wanted > end:
            detail = f"timeline {now.timeline} left timeline {before.timeline} at {format_lsn(end)}"
            raise _lost(kind, wanted, detail)
    if not kept or before != now:
        history.write(orjson.dumps({**kept, **asdict(now)}))


def _ends(wire: WireConnection, timeline: int) -> Mapping[int, int]:
    """Where each timeline that a timeline came from was left."""
    if timeline == 1:
        return {}
    (_, content) = wire.query(f"TIMELINE_HISTORY {timeline}")[0]
    return ends_in(content or "")


def ends_in(content: str) -> dict[int, int]:
    """What a timeline's history file says: for each timeline before it where that was left."""
    lines = (line.split("#", 1)[0].split() for line in content.splitlines())
    return {int(words[0]): parse_lsn(words[1]) for words in lines if len(words) > 1}


def _lost(kind: str, wanted: int, detail: str) -> LogPositionLost:
    return LogPositionLost(kind=kind, wanted=format_lsn(wanted), oldest="", gap="", detail=detail)
