"""The kinds of objects that are searched: their rows, who may see them, and what the address of their page needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, case, func, literal, select

from zcbus.control.features.container.views import usable
from zcbus.control.features.search.schemas import HitKind
from zcbus.control.platform.action_titles import actions_titled
from zcbus.control.platform.menus import CUSTOMER_PAGES, Operation
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.data_service import api, api_group, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.identity import user
from zcbus.control.store.tables.policy import strategy
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.search import published_column
from zcbus.control.store.tables.sql_management import sql_statement
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan

_NEWEST_OPERATIONS = 20_000
"""Older operations are found on their own page: a text without a match would read all of them."""

_MAX_NAME_LENGTH = 1_000

_dot = literal(".")
_published = published_table.c.schema_name + _dot + published_table.c.table_name
_subscribed = subscribed_table.c.target_schema + _dot + subscribed_table.c.target_table
_nodes = publish_node.join(data_source, data_source.c.id == publish_node.c.data_source_id)
_node = (publish_node.c.id.label("node"), data_source.c.kind.label("type"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedKind:
    """One kind of objects."""

    menu_keys: tuple[str, ...]
    """The caller needs the right to view one of these."""
    rows: FromClause
    visible: Callable[[Principal], ColumnElement[bool]]
    """The condition of the kind's own list: tenant, type of customer, usable containers."""
    selected: tuple[ColumnElement[Any], ...]
    """`id`, `name`, `within` and the `details`, under these names."""
    name: ColumnElement[Any]
    """Searched, and ranked by."""
    other_texts: tuple[ColumnElement[Any], ...] = ()
    """Searched as well."""
    details: tuple[str, ...] = ()
    newest_first: bool = False
    """Ordered by the selected column `at` instead of by rank."""

    def hits(self, principal: Principal, text: str, limit: int) -> Select[Any]:
        """The best `limit` hits that the caller may see."""
        matches = any_contains((self.name, *self.other_texts), text)
        statement = select(*self.selected).select_from(self.rows).where(matches, self.visible(principal))
        return statement.order_by(_rank(func.lower(self.name), text)).limit(limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedColumns(SearchedKind):
    """Column names: so many that the best are found first, by the table of names alone, and joined afterwards."""

    def hits(self, principal: Principal, text: str, limit: int) -> Select[Any]:
        folded = published_column.c.folded
        matches = folded.contains(text.lower(), autoescape=True)
        best = select(published_column.c.table_id, published_column.c.name).where(matches)
        if not principal.spans_tenants:
            tables = published_table.join(publish_node, publish_node.c.id == published_table.c.node_id)
            own = select(published_table.c.id).select_from(tables).where(self.visible(principal))
            best = best.where(published_column.c.table_id.in_(own))
        few = best.order_by(_rank(folded, text)).limit(limit).subquery("few")
        chosen = (few.c.table_id == published_column.c.table_id) & (few.c.name == published_column.c.name)
        return select(*self.selected).select_from(self.rows.join(few, chosen)).order_by(_rank(folded, text))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedOperations(SearchedKind):
    """Lines of the operation log: the newest ones that the caller may see, newest first."""

    def hits(self, principal: Principal, text: str, limit: int) -> Select[Any]:
        names = ("id", "action", "subject", "user_name", "result", "recorded_at")
        recent = (
            select(*(audit_record.c[name] for name in names))
            .where(self.visible(principal))
            .order_by(audit_record.c.recorded_at.desc())
            .limit(_NEWEST_OPERATIONS)
            .subquery("recent")
        )
        named = any_contains((recent.c.subject, recent.c.action, recent.c.user_name), text)
        matches = named | recent.c.action.in_(actions_titled(text))
        statement = select(
            recent.c.id,
            recent.c.subject.label("name"),
            recent.c.user_name.label("within"),
            recent.c.recorded_at.label("at"),
            recent.c.result,
            recent.c.action,
        )
        return statement.where(matches).order_by(recent.c.recorded_at.desc()).limit(limit)


def _rank(folded: ColumnElement[Any], text: str) -> ColumnElement[int]:
    """Names that begin with the text first, then by length: the exact name is first of all. A number sorts faster than
    a text."""
    begins = case((folded.startswith(text.lower(), autoescape=True), 0), else_=_MAX_NAME_LENGTH)
    return begins + func.length(folded)


def _of_customers(principal: Principal) -> ColumnElement[bool]:
    """Each type of customer has a page of its own, with a right of its own."""
    types = [kind for kind, menu_key in CUSTOMER_PAGES.items() if principal.may(menu_key, Operation.VIEW)]
    return principal.visible(customer.c.tenant_id) & customer.c.client_type.in_(types)


def _of_nodes(principal: Principal) -> ColumnElement[bool]:
    return principal.visible(publish_node.c.tenant_id)


SEARCHED: dict[HitKind, SearchedKind] = {
    "link": SearchedKind(
        menu_keys=("sync-link",),
        rows=sync_link.join(publish_node, publish_node.c.id == sync_link.c.node_id).join(
            customer, customer.c.id == sync_link.c.customer_id
        ),
        visible=lambda principal: principal.visible(sync_link.c.tenant_id),
        selected=(
            sync_link.c.id,
            sync_link.c.name,
            (publish_node.c.name + literal(" → ") + customer.c.name).label("within"),
        ),
        name=sync_link.c.name,
    ),
    "published-table": SearchedKind(
        menu_keys=("publish",),
        rows=published_table.join(_nodes, publish_node.c.id == published_table.c.node_id),
        visible=_of_nodes,
        selected=(
            published_table.c.id,
            _published.label("name"),
            publish_node.c.name.label("within"),
            *_node,
            published_table.c.table_name.label("table"),
        ),
        name=published_table.c.table_name,
        other_texts=(_published,),
        details=("node", "type", "table"),
    ),
    "subscribed-table": SearchedKind(
        menu_keys=tuple(CUSTOMER_PAGES.values()),
        rows=subscribed_table.join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id),
        visible=_of_customers,
        selected=(
            subscribed_table.c.id,
            _subscribed.label("name"),
            (customer.c.name + literal(" / ") + channel.c.name).label("within"),
            customer.c.client_type.label("type"),
            channel.c.id.label("channel"),
            master.c.id.label("control"),
            customer.c.id.label("customer"),
            subscribed_table.c.target_table.label("table"),
        ),
        name=subscribed_table.c.target_table,
        other_texts=(_subscribed,),
        details=("type", "customer", "control", "channel", "table"),
    ),
    "column": SearchedColumns(
        menu_keys=("publish",),
        rows=published_column.join(published_table, published_table.c.id == published_column.c.table_id).join(
            _nodes, publish_node.c.id == published_table.c.node_id
        ),
        visible=_of_nodes,
        selected=(
            (published_table.c.id + literal(":") + published_column.c.name).label("id"),
            published_column.c.name,
            (publish_node.c.name + literal(" · ") + _published).label("within"),
            *_node,
            published_table.c.table_name.label("table"),
        ),
        name=published_column.c.name,
        details=("node", "type", "table"),
    ),
    "node": SearchedKind(
        menu_keys=("publish",),
        rows=_nodes,
        visible=_of_nodes,
        selected=(publish_node.c.id, publish_node.c.name, data_source.c.kind.label("within"), *_node),
        name=publish_node.c.name,
        details=("node", "type"),
    ),
    "topic": SearchedKind(
        menu_keys=("publish",),
        rows=_nodes,
        visible=_of_nodes,
        selected=(
            publish_node.c.id,
            publish_node.c.json_topic.label("name"),
            publish_node.c.name.label("within"),
            *_node,
        ),
        name=publish_node.c.json_topic,
        details=("node", "type"),
    ),
    "customer": SearchedKind(
        menu_keys=tuple(CUSTOMER_PAGES.values()),
        rows=customer,
        visible=_of_customers,
        selected=(
            customer.c.id,
            customer.c.name,
            customer.c.client_type.label("within"),
            customer.c.client_type.label("type"),
        ),
        name=customer.c.name,
        details=("type",),
    ),
    "policy": SearchedKind(
        menu_keys=("policy/define",),
        rows=strategy.outerjoin(publish_node, publish_node.c.id == strategy.c.node_id),
        visible=lambda principal: principal.visible(strategy.c.tenant_id),
        selected=(
            strategy.c.id,
            strategy.c.product_name.label("name"),
            publish_node.c.name.label("within"),
        ),
        name=strategy.c.product_name,
        other_texts=(strategy.c.remark,),
    ),
    "service": SearchedKind(
        menu_keys=("system/service_management",),
        rows=service,
        visible=lambda principal: principal.visible(service.c.tenant_id) & service.c.removed_at.is_(None),
        selected=(service.c.id, service.c.name, service.c.type.label("within")),
        name=service.c.name,
    ),
    "container": SearchedKind(
        menu_keys=("container",),
        rows=container,
        visible=usable,
        selected=(container.c.id, container.c.name, container.c.display_name.label("within")),
        name=container.c.name,
        other_texts=(container.c.display_name,),
    ),
    "api": SearchedKind(
        menu_keys=("data-service/api-group",),
        rows=api.join(api_group, api_group.c.id == api.c.group_id).join(
            data_service, data_service.c.id == api_group.c.data_service_id
        ),
        visible=lambda principal: principal.visible(data_service.c.tenant_id),
        selected=(
            api.c.id,
            api.c.name,
            (literal("/") + api_group.c.prefix + literal("/") + api.c.path).label("within"),
        ),
        name=api.c.name,
        other_texts=(api.c.path,),
    ),
    "plan": SearchedKind(
        menu_keys=("task",),
        rows=task_plan.outerjoin(sync_link, sync_link.c.id == task_plan.c.link_id),
        visible=lambda principal: principal.visible(task_plan.c.tenant_id),
        selected=(task_plan.c.id, task_plan.c.name, sync_link.c.name.label("within")),
        name=task_plan.c.name,
    ),
    "sql": SearchedKind(
        menu_keys=("resource/sqlManagement",),
        rows=sql_statement,
        visible=lambda principal: principal.visible(sql_statement.c.tenant_id),
        selected=(
            sql_statement.c.id,
            sql_statement.c.description.label("name"),
            func.substr(sql_statement.c.statement, 1, 100).label("within"),
        ),
        name=sql_statement.c.description,
        other_texts=(sql_statement.c.statement,),
    ),
    "user": SearchedKind(
        menu_keys=("authority-management/user-management",),
        rows=user,
        visible=lambda principal: principal.visible(user.c.tenant_id),
        selected=(user.c.id, user.c.user_name.label("name"), user.c.nick_name.label("within")),
        name=user.c.user_name,
        other_texts=(user.c.nick_name, user.c.email),
    ),
    "operation": SearchedOperations(
        menu_keys=("monitor/operation-log",),
        rows=audit_record,
        visible=lambda principal: principal.visible(audit_record.c.tenant_id),
        selected=(),
        name=audit_record.c.subject,
        details=(),
        newest_first=True,
    ),
}
