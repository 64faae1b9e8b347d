"""What is searched: by kind, the right to see it, where its names are, and what its page needs to know.

Each kind is one query that first finds the best ids of many, then what is shown of those few.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, case, func, literal, select

from zcbus.control.features.container.views import usable
from zcbus.control.features.search.schemas import HitKind
from zcbus.control.platform.menus import CUSTOMER_PAGES, Operation
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.data_service import api, api_group, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.identity import user
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.search import published_column
from zcbus.control.store.tables.sql_management import sql_statement
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan

_NEWEST_OPERATIONS = 20_000
"""Older ones are found on their own page: a text that is in none would have all of them read."""

_LONGEST = 1_000
"""No name is longer."""

_dot = literal(".")
_published = published_table.c.schema_name + _dot + published_table.c.table_name
_subscribed = subscribed_table.c.target_schema + _dot + subscribed_table.c.target_table
_nodes = publish_node.join(data_source, data_source.c.id == publish_node.c.data_source_id)
_node = (publish_node.c.id.label("node"), data_source.c.kind.label("type"))


@dataclass(frozen=True, slots=True)
class Searched:
    """A kind of things."""

    menu_keys: tuple[str, ...]
    """Behind one of which the caller must be allowed to look."""
    source: FromClause
    visible: Callable[[Principal], ColumnElement[bool]]
    """Whether a row is the caller's business."""
    shown: tuple[ColumnElement[Any], ...]
    """`id`, `name`, `within` and those of `of`, by these names."""
    name: ColumnElement[Any]
    """What is searched, and what hits are ordered by."""
    also: tuple[ColumnElement[Any], ...] = ()
    """Further texts that are searched."""
    of: tuple[str, ...] = ()
    newest: ColumnElement[Any] | None = None
    """Hits are ordered by that moment instead."""

    def hits(self, principal: Principal, text: str, most: int) -> Select[Any]:
        """The best `most` hits."""
        found = any_contains((self.name, *self.also), text)
        statement = select(*self.shown).select_from(self.source).where(found, self.visible(principal)).limit(most)
        if self.newest is not None:
            return statement.order_by(self.newest.desc())
        return statement.order_by(_rank(func.lower(self.name), text))


@dataclass(frozen=True, slots=True)
class SearchedColumns(Searched):
    """Columns: so many that those of all tenants are searched by themselves, without what is shown of them."""

    def hits(self, principal: Principal, text: str, most: int) -> Select[Any]:
        folded = published_column.c.folded
        best = select(published_column.c.table_id, published_column.c.name).where(
            folded.contains(text.lower(), autoescape=True)
        )
        if not principal.spans_tenants:
            tables = published_table.join(publish_node, publish_node.c.id == published_table.c.node_id)
            own = select(published_table.c.id).select_from(tables).where(self.visible(principal))
            best = best.where(published_column.c.table_id.in_(own))
        few = best.order_by(_rank(folded, text)).limit(most).subquery("few")
        chosen = (few.c.table_id == published_column.c.table_id) & (few.c.name == published_column.c.name)
        source = self.source.join(few, chosen)
        return select(*self.shown).select_from(source).order_by(_rank(folded, text))


def _rank(folded: ColumnElement[Any], text: str) -> ColumnElement[int]:
    """What is called so, what begins so, what contains it; short names first. Numbers, for texts take long to sort."""
    wanted = text.lower()
    begins = case((folded.startswith(wanted, autoescape=True), 0), else_=_LONGEST)
    return begins + func.length(folded)


def _of_customers(principal: Principal) -> ColumnElement[bool]:
    """Customers have a page by their type, and a right with it."""
    types = [kind for kind, menu_key in CUSTOMER_PAGES.items() if principal.may(menu_key, Operation.VIEW)]
    return principal.visible(customer.c.tenant_id) & customer.c.client_type.in_(types)


def _of_nodes(principal: Principal) -> ColumnElement[bool]:
    return principal.visible(publish_node.c.tenant_id)


_recent = (
    select(
        *(audit_record.c[name] for name in ("id", "action", "subject", "user_name", "result")),
        *(audit_record.c.recorded_at, audit_record.c.tenant_id),
    )
    .order_by(audit_record.c.recorded_at.desc())
    .limit(_NEWEST_OPERATIONS)
    .subquery("recent")
)

SEARCHED: dict[HitKind, Searched] = {
    "link": Searched(
        ("sync-link",),
        sync_link.join(publish_node, publish_node.c.id == sync_link.c.node_id).join(
            customer, customer.c.id == sync_link.c.customer_id
        ),
        lambda principal: principal.visible(sync_link.c.tenant_id),
        (
            sync_link.c.id,
            sync_link.c.name,
            (publish_node.c.name + literal(" → ") + customer.c.name).label("within"),
        ),
        sync_link.c.name,
    ),
    "published-table": Searched(
        ("publish",),
        published_table.join(_nodes, publish_node.c.id == published_table.c.node_id),
        _of_nodes,
        (
            published_table.c.id,
            _published.label("name"),
            publish_node.c.name.label("within"),
            *_node,
            published_table.c.table_name.label("table"),
        ),
        published_table.c.table_name,
        (_published,),
        ("node", "type", "table"),
    ),
    "subscribed-table": Searched(
        tuple(CUSTOMER_PAGES.values()),
        subscribed_table.join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id),
        _of_customers,
        (
            subscribed_table.c.id,
            _subscribed.label("name"),
            (customer.c.name + literal(" / ") + channel.c.name).label("within"),
            customer.c.client_type.label("type"),
            channel.c.id.label("channel"),
            master.c.id.label("control"),
            customer.c.id.label("customer"),
            subscribed_table.c.target_table.label("table"),
        ),
        subscribed_table.c.target_table,
        (_subscribed,),
        ("type", "customer", "control", "channel", "table"),
    ),
    "column": SearchedColumns(
        ("publish",),
        published_column.join(published_table, published_table.c.id == published_column.c.table_id).join(
            _nodes, publish_node.c.id == published_table.c.node_id
        ),
        _of_nodes,
        (
            (published_table.c.id + literal(":") + published_column.c.name).label("id"),
            published_column.c.name,
            (publish_node.c.name + literal(" · ") + _published).label("within"),
            *_node,
            published_table.c.table_name.label("table"),
        ),
        published_column.c.name,
        (),
        ("node", "type", "table"),
    ),
    "node": Searched(
        ("publish",),
        _nodes,
        _of_nodes,
        (publish_node.c.id, publish_node.c.name, data_source.c.kind.label("within"), *_node),
        publish_node.c.name,
        (),
        ("node", "type"),
    ),
    "topic": Searched(
        ("publish",),
        _nodes,
        _of_nodes,
        (publish_node.c.id, publish_node.c.json_topic.label("name"), publish_node.c.name.label("within"), *_node),
        publish_node.c.json_topic,
        (),
        ("node", "type"),
    ),
    "customer": Searched(
        tuple(CUSTOMER_PAGES.values()),
        customer,
        _of_customers,
        (
            customer.c.id,
            customer.c.name,
            customer.c.client_type.label("within"),
            customer.c.client_type.label("type"),
        ),
        customer.c.name,
        (),
        ("type",),
    ),
    "service": Searched(
        ("system/service_management",),
        service,
        lambda principal: principal.visible(service.c.tenant_id) & service.c.removed_at.is_(None),
        (service.c.id, service.c.name, service.c.type.label("within")),
        service.c.name,
    ),
    "container": Searched(
        ("container",),
        container,
        usable,
        (container.c.id, container.c.name, container.c.display_name.label("within")),
        container.c.name,
        (container.c.display_name,),
    ),
    "api": Searched(
        ("data-service/api-group",),
        api.join(api_group, api_group.c.id == api.c.group_id).join(
            data_service, data_service.c.id == api_group.c.data_service_id
        ),
        lambda principal: principal.visible(data_service.c.tenant_id),
        (
            api.c.id,
            api.c.name,
            (literal("/") + api_group.c.prefix + literal("/") + api.c.path).label("within"),
            api.c.name.label("search"),
        ),
        api.c.name,
        (api.c.path,),
        ("search",),
    ),
    "plan": Searched(
        ("task",),
        task_plan.outerjoin(sync_link, sync_link.c.id == task_plan.c.link_id),
        lambda principal: principal.visible(task_plan.c.tenant_id),
        (task_plan.c.id, task_plan.c.name, sync_link.c.name.label("within")),
        task_plan.c.name,
    ),
    "sql": Searched(
        ("resource/sqlManagement",),
        sql_statement,
        lambda principal: principal.visible(sql_statement.c.tenant_id),
        (
            sql_statement.c.id,
            sql_statement.c.description.label("name"),
            func.substr(sql_statement.c.statement, 1, 100).label("within"),
        ),
        sql_statement.c.description,
        (sql_statement.c.statement,),
    ),
    "user": Searched(
        ("authority-management/user-management",),
        user,
        lambda principal: principal.visible(user.c.tenant_id),
        (user.c.id, user.c.user_name.label("name"), user.c.nick_name.label("within")),
        user.c.user_name,
        (user.c.nick_name, user.c.email),
    ),
    "operation": Searched(
        ("monitor/operation-log",),
        _recent,
        lambda principal: principal.visible(_recent.c.tenant_id),
        (
            _recent.c.id,
            func.coalesce(_recent.c.subject, _recent.c.action).label("name"),
            (func.coalesce(_recent.c.user_name, "") + literal(" · ") + _recent.c.action).label("within"),
            _recent.c.recorded_at.label("at"),
            _recent.c.result.label("result"),
        ),
        func.coalesce(_recent.c.subject, ""),
        (_recent.c.action, func.coalesce(_recent.c.user_name, "")),
        ("result",),
        _recent.c.recorded_at,
    ),
}
