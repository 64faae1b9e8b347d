"""A target table that somebody else holds."""

from zcbus.connectors.errors import TargetLocked
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.table import SyncRun


def named(error: TargetLocked, session: TargetSession, run: SyncRun) -> TargetLocked:
    """The same with the table's name and with who holds it; nothing may be open. Raises TransientError."""
    told = {"table": error.facts.get("table") or run.target, "holder": session.lock_holders(run.target) or "-"}
    return TargetLocked(**{**error.facts, **told})
