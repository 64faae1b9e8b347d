"""Whether control planes reach their collector of OpenTelemetry, as each noted at its last export."""

import socket
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from zcbus.control.store.tables.collector import metric_export

_KEPT = timedelta(minutes=10)
"""A control plane that exported nothing for so long has ended, or has no collector any more."""


def note(connection: Connection, instance: str, collector: str, failure: str, now: datetime) -> bool:
    """Store the result of an export; empty `failure`: it succeeded. Returns whether the one before had failed."""
    own = metric_export.c.instance == instance
    since = connection.execute(select(metric_export.c.failing_since).where(own)).scalar()
    connection.execute(delete(metric_export).where(own | (metric_export.c.tried_at < now - _KEPT)))
    connection.execute(
        metric_export.insert().values(
            instance=instance,
            host=socket.gethostname()[:255],
            collector=collector[:500],
            tried_at=now,
            failing_since=(since or now) if failure else None,
            failure=failure or None,
        )
    )
    return since is not None


def failing(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """Control planes whose last export failed."""
    found = metric_export.c
    wanted = select(metric_export).where(found.failing_since.is_not(None), found.tried_at >= now - _KEPT)
    return connection.execute(wanted.order_by(found.instance)).all()
