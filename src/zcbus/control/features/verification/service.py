"""Orders to verification."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.connectors.registry import spec_of
from zcbus.control.features.container import service as containers
from zcbus.control.features.verification import repository


def unverifiable(store: Connection, tables: Collection[str]) -> set[str]:
    """Those of the tables that are not verified all the time, for the kind of their source or target."""
    return {id_ for id_, (source, target) in repository.kinds(store, tables).items() if not can_verify(source, target)}


def can_verify(source: str, target: str) -> bool:
    """Whether tables between these kinds are verified all the time."""
    return spec_of(source).capabilities.verifiable and spec_of(target).capabilities.verifiable


def ask(store: Connection, rows: Sequence[Row[Any]], number: Literal["number", "repair"]) -> None:
    """Order tables (rows of `subscribe.views.tables`) to be verified before all others, or their differences to be
    repaired."""
    repository.insert(store, [{"table_id": row.id} for row in rows if row.verification_number is None])
    repository.ask(store, [row.id for row in rows], number)
    containers.notify_services(store, {row.subscribe_service_id for row in rows})
