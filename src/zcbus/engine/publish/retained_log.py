"""Our own limit on the log that a source keeps for a node: before its disk fills up, the source may forget it."""

from contextlib import suppress
from datetime import UTC, datetime

from zcbus.bus.contract import Bus, BusFull
from zcbus.bus.topics import real_topic
from zcbus.connectors.errors import SlotDropped
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import Source
from zcbus.connectors.roles.source import drop
from zcbus.engine.capture_history import CaptureHistory

_GIB = 1 << 30


def exceeded(kind: str, held: int | None, limit: int | None) -> SlotDropped | None:
    """The error where a source keeps more bytes of log than it may; None: it does not, nobody set a limit, or there is
    nothing that it could let go of."""
    if not spec_of(kind).capabilities.retains_log or held is None or limit is None or held <= limit:
        return None
    return SlotDropped(kind=kind, held=f"{held / _GIB:.3g}", limit=f"{limit / _GIB:.3g}")


def let_go(source: Source, bus: Bus, node: str, error: SlotDropped) -> None:
    """Let the source forget what it keeps for the node. Idempotent. The reason is noted first, for whoever starts the
    node again; a bus that is full is one cause of held log, and must not keep the source from getting its room."""
    error.facts.setdefault("since", captured_until(bus, node))
    with suppress(BusFull):
        CaptureHistory(bus, node).note_let_go({name: str(fact) for name, fact in error.facts.items()})
    drop(source, node)


def captured_until(bus: Bus, node: str) -> str:
    """When the newest record came onto the real topic; empty: there is none."""
    info = bus.info(real_topic(node))
    if info is None or info.newest_time is None:
        return ""
    return datetime.fromtimestamp(info.newest_time / 1000, UTC).isoformat(timespec="seconds")
