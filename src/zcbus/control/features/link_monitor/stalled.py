"""Stalled heartbeats of links that seem to run, for alerts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.link_monitor import views
from zcbus.control.features.link_monitor.schemas import BeatState
from zcbus.control.platform.principal import local_principal
from zcbus.model.reduction.services import Worker


def stalled_channels(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """Rows of `views.channels`, of all tenants, with a stalled heartbeat. Services that wait, restart or cannot run are
    left out: their reason is reported already."""
    rows = connection.execute(views.channels(local_principal(), now)).all()
    return [row for row in rows if row.state == BeatState.STANDING and _seems_to_run(row)]


def _seems_to_run(row: Row[Any]) -> bool:
    return all(worker == Worker.WORKING for worker in (row.publish_worker, row.subscribe_worker))
