"""The databases that a tenant works with: those of its publish nodes and of its subscribers, each once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row, Select, func, select

from zcbus.connectors.options import KindOptions, parse
from zcbus.connectors.registry import KINDS
from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource.schemas import Side
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, customer_database, master


@dataclass(frozen=True, slots=True)
class KnownDatabase:
    """A database under one user. `id`: of its first data source, so that it stays when others come; `current_id`: of
    the one that was changed last, whose password counts."""

    id: str
    current_id: str
    tenant_id: str
    kind: str
    options: Mapping[str, Any]
    used_by: tuple[str, ...]
    destination: Destination
    """Whose agents reach it."""

    data_source_ids: tuple[str, ...]
    """All under which the tenant has it."""

    @property
    def title(self) -> str:
        """The database's display name."""
        return self._parsed.title

    @property
    def address(self) -> str:
        """Where it is."""
        return self._parsed.address

    @property
    def _parsed(self) -> KindOptions:
        options: KindOptions = parse(KINDS[self.kind].spec.model, self.options)
        return options


def known_databases(store: StoreConnection, principal: Principal, side: Side) -> list[KnownDatabase]:
    """Those that can be a link's source or target, by database and host."""
    groups: dict[tuple[object, ...], list[Row[Any]]] = {}
    for statement in (_of_nodes(principal), _of_subscribers(principal)):
        for row in store.execute(statement):
            spec = KINDS[row.kind].spec
            if spec.source if side == "source" else spec.target:
                groups.setdefault(_identity(row), []).append(row)
    found = [_known(store, principal, rows) for rows in groups.values()]
    return sorted(found, key=lambda one: (one.title, one.address, one.id))


def find_database(store: StoreConnection, principal: Principal, side: Side, database_id: str) -> KnownDatabase:
    """Raises RecordNotFoundError."""
    for one in known_databases(store, principal, side):
        if one.id == database_id:
            return one
    raise RecordNotFoundError(kind="data-source", id=database_id)


def _known(store: StoreConnection, principal: Principal, rows: Sequence[Row[Any]]) -> KnownDatabase:
    first = min(rows, key=lambda row: _age(row.created_at, row.id))
    newest = max(rows, key=lambda row: _age(row.updated_at, row.id))
    return KnownDatabase(
        first.id,
        newest.id,
        first.tenant_id,
        first.kind,
        newest.options,
        tuple(sorted({row.user_name for row in rows})),
        _destination(rows) or containers.find_destination(store, principal),
        tuple({row.id for row in rows}),
    )


def _identity(row: Row[Any]) -> tuple[object, ...]:
    """Equal for the same database under the same user."""
    identifying = (option.name for option in KINDS[row.kind].spec.options if option.shown.identifies)
    return row.tenant_id, row.kind, *(row.options.get(name) for name in identifying)


def _age(at: datetime, identifier: str) -> tuple[datetime, str]:
    return at, identifier


def _destination(rows: Iterable[Row[Any]]) -> Destination | None:
    return next(
        (Destination(row.container_id, row.container_name) for row in rows if row.container_id is not None), None
    )


def _columns() -> list[Any]:
    return [data_source, container.c.id.label("container_id"), container.c.name.label("container_name")]


def _of_nodes(principal: Principal) -> Select[Any]:
    return (
        select(*_columns(), publish_node.c.name.label("user_name"))
        .join(publish_node, publish_node.c.data_source_id == data_source.c.id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .where(principal.visible(data_source.c.tenant_id))
    )


def _of_subscribers(principal: Principal) -> Select[Any]:
    target = func.coalesce(master.c.data_source_id, customer.c.data_source_id)
    return (
        select(*_columns(), customer.c.name.label("user_name"))
        .join(customer_database, customer_database.c.data_source_id == data_source.c.id)
        .join(customer, customer.c.id == customer_database.c.customer_id)
        .outerjoin(master, (master.c.customer_id == customer.c.id) & (target == data_source.c.id))
        .outerjoin(publish_node, publish_node.c.id == master.c.node_id)
        .outerjoin(service, service.c.id == publish_node.c.service_id)
        .outerjoin(container, container.c.id == service.c.container_id)
        .where(principal.visible(data_source.c.tenant_id))
    )
