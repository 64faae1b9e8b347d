"""Limit of the log that a source retains for a node, which protects its disk."""

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


def exceeded(kind: str, retained: int | None, limit: int | None) -> SlotDropped | None:
    """The error if a source retains more log than allowed; None: within the limit, or no limit applies."""
    if not spec_of(kind).capabilities.retains_log or retained is None or limit is None or retained <= limit:
        return None
    return SlotDropped(kind=kind, held=f"{retained / _GIB:.3g}", limit=f"{limit / _GIB:.3g}")


def release(source: Source, bus: Bus, node: str, error: SlotDropped) -> None:
    """Release the log that a source retains for a node. Idempotent.

    The reason is recorded first, for the next start of the node. A full bus, a typical cause of retained log, must
    not prevent the release.
    """
    error.facts.setdefault("since", captured_until(bus, node))
    with suppress(BusFull):
        CaptureHistory(bus, node).note_released({name: str(fact) for name, fact in error.facts.items()})
    drop(source, node)


def captured_until(bus: Bus, node: str) -> str:
    """Time of the newest record on the real topic; empty: there is none."""
    info = bus.info(real_topic(node))
    if info is None or info.newest_time is None:
        return ""
    return datetime.fromtimestamp(info.newest_time / 1000, UTC).isoformat(timespec="seconds")
