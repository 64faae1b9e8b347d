"""Which control plane works on an item of a run outside of the run's transactions.

A claim ends with its control plane: once that does not report itself any more (`master_key.holders`), another one takes
the item up. The work must bear that: a control plane that was only cut off may end it later.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from zcbus.control.features.master_key import holders
from zcbus.control.features.task_plan.jobs.base import TableProgress
from zcbus.control.platform.services import Services

CLAIMED = 1
"""Mark of an item that a control plane works on."""


def claim(services: Services) -> dict[str, Any]:
    """Values of an item that this control plane claims."""
    return {"mark": CLAIMED, "by": services.process_id, "since": services.clock.now().isoformat()}


def is_free(store: Connection, services: Services, item: TableProgress) -> bool:
    """Whether an item may be claimed: it waits, or the control plane that claimed it is gone. A claim of this process
    was given up by a failure: one thread makes them, one after the other."""
    if item["done"] is not None or item["mark"] not in (0, CLAIMED):
        return False
    if item["mark"] == 0 or item.get("by") == services.process_id:
        return True
    now, since = services.clock.now(), item.get("since")
    if since is not None and now - datetime.fromisoformat(since) < holders.LIVE:
        return False
    return item.get("by") not in {row.process_id for row in holders.live(store, now)}


def is_own(services: Services, item: TableProgress) -> bool:
    """Whether no other control plane has taken up an item that this one claimed."""
    return item["done"] is None and item["mark"] == CLAIMED and item.get("by") == services.process_id
