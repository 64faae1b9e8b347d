"""What the call answers."""

from collections.abc import Collection, Mapping

from sqlalchemy import Column, func, literal, select

from zcbus.control.features.dependants.deletions import DELETIONS
from zcbus.control.features.dependants.schemas import DependantGroup, DependantKind, DependantsRequest
from zcbus.control.features.search.kinds import SEARCHED, SearchedKind
from zcbus.control.features.search.schemas import SearchHit
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.menus import CUSTOMER_PAGES
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.among import among
from zcbus.control.store.tables.alert_rule import alert_rule
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.data_service import api, api_app, data_service
from zcbus.control.store.tables.identity import department, user
from zcbus.control.store.tables.policy import strategy
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan

_SHOWN = 10

_KINDS: Mapping[str, SearchedKind] = dict(SEARCHED.items()) | {
    "app": SearchedKind(
        menu_keys=("data-service/api-app",),
        rows=api_app,
        visible=lambda principal: principal.visible(api_app.c.tenant_id),
        selected=(api_app.c.id, api_app.c.name, literal("").label("within")),
        name=api_app.c.name,
    ),
    "alert-rule": SearchedKind(
        menu_keys=("system/alert-rule",),
        rows=alert_rule,
        visible=lambda principal: principal.visible(alert_rule.c.tenant_id),
        selected=(alert_rule.c.id, alert_rule.c.name, literal("").label("within")),
        name=alert_rule.c.name,
    ),
    "computation": SearchedKind(
        menu_keys=(CUSTOMER_PAGES["stream"],),
        rows=computation.join(customer, customer.c.id == computation.c.customer_id),
        visible=SEARCHED["customer"].visible,
        selected=(computation.c.id, computation.c.name, customer.c.name.label("within")),
        name=computation.c.name,
    ),
    "department": SearchedKind(
        menu_keys=("authority-management/dept-management",),
        rows=department,
        visible=lambda principal: principal.visible(department.c.tenant_id),
        selected=(department.c.id, department.c.name, literal("").label("within")),
        name=department.c.name,
    ),
    "master": SearchedKind(
        menu_keys=SEARCHED["customer"].menu_keys,
        rows=master.join(customer, customer.c.id == master.c.customer_id),
        visible=SEARCHED["customer"].visible,
        selected=(
            master.c.id,
            master.c.name,
            customer.c.name.label("within"),
            customer.c.client_type.label("type"),
            customer.c.id.label("customer"),
        ),
        name=master.c.name,
        details=("type", "customer"),
    ),
}
_OWNED: Mapping[DependantKind, tuple[Column[str], Column[str]]] = {
    "link": (sync_link.c.id, sync_link.c.tenant_id),
    "node": (publish_node.c.id, publish_node.c.tenant_id),
    "customer": (customer.c.id, customer.c.tenant_id),
    "subscribed-table": (subscribed_table.c.id, customer.c.tenant_id),
    "policy": (strategy.c.id, strategy.c.tenant_id),
    "service": (service.c.id, service.c.tenant_id),
    "api": (api.c.id, data_service.c.tenant_id),
    "app": (api_app.c.id, api_app.c.tenant_id),
    "plan": (task_plan.c.id, task_plan.c.tenant_id),
    "user": (user.c.id, user.c.tenant_id),
    "computation": (computation.c.id, customer.c.tenant_id),
    "department": (department.c.id, department.c.tenant_id),
    "master": (master.c.id, customer.c.tenant_id),
    "alert-rule": (alert_rule.c.id, alert_rule.c.tenant_id),
}
"""Id and tenant of each kind: those that the caller may not view are counted, not named."""


def dependants(call: Call, asked: DependantsRequest) -> list[DependantGroup]:
    """Raises ForbiddenError where the caller may not delete such objects."""
    deletion = DELETIONS[asked.deleting]
    if not any(call.principal.may(key, Operation.DELETE) for key in deletion.menu_keys):
        raise ForbiddenError(menuKey=deletion.menu_keys[0], operation=Operation.DELETE.value)
    found: dict[tuple[DependantKind, bool], set[str]] = {}
    for one in deletion.dependants:
        found.setdefault((one.kind, one.prevents), set()).update(one.find(call.connection, asked.id))
    groups = (_group(call, kind, prevents, ids) for (kind, prevents), ids in found.items() if ids)
    return [group for group in groups if group.total]


def _group(call: Call, kind: DependantKind, prevents: bool, ids: Collection[str]) -> DependantGroup:
    searched, (id_column, tenant) = _KINDS[kind], _OWNED[kind]
    owned = among(id_column, ids) & call.principal.visible(tenant)
    counted = select(func.count()).select_from(searched.rows).where(owned)
    visible = _may_view(call.principal, searched)
    statement = select(*searched.selected).select_from(searched.rows)
    rows = statement.where(owned, searched.visible(call.principal)).order_by(searched.name, id_column).limit(_SHOWN)
    hits = [
        SearchHit(
            id=row.id,
            name=row.name or "",
            within=row.within or "",
            details={name: str(getattr(row, name)) for name in searched.details},
        )
        for row in (call.connection.execute(rows) if visible else ())
    ]
    total = int(call.connection.execute(counted).scalar_one())
    return DependantGroup(kind=kind, hits=hits, total=total, prevents=prevents, visible=visible)


def _may_view(principal: Principal, searched: SearchedKind) -> bool:
    return any(principal.may(key, Operation.VIEW) for key in searched.menu_keys)
