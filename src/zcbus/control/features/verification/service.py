"""Orders to verification."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.verification import repository


def ask(store: Connection, rows: Sequence[Row[Any]], number: Literal["number", "repair"]) -> None:
    """Order tables (rows of `subscribe.views.tables`) to be verified before all others, or their differences to be
    repaired."""
    repository.insert(store, [{"table_id": row.id} for row in rows if row.verification_number is None])
    repository.ask(store, [row.id for row in rows], number)
    containers.notify_services(store, {row.subscribe_service_id for row in rows})
