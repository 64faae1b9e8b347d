"""Kinds of objects that the recycle bin takes, and the rows that each consists of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Column, Table

from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.tables.article import article, article_version
from zcbus.control.store.tables.data_service import api, api_grant, api_group, api_version, data_service
from zcbus.control.store.tables.identity import user, user_role, user_setting
from zcbus.control.store.tables.policy import strategy, strategy_customer, strategy_table, strategy_version
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.sql_management import sql_statement
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.control.store.tables.task_plan import task_plan

RecycledKind = Literal[
    "sync-link",
    "publish-node",
    "subscriber",
    "master",
    "data-service",
    "api-group",
    "api",
    "policy",
    "task-plan",
    "saved-sql",
    "article",
    "user",
]

MissingObject = Literal[
    "publish-node",
    "published-table",
    "subscriber",
    "database",
    "container",
    "data-service",
    "api-group",
    "api-app",
    "task-plan",
    "department",
    "role",
]

MISSING: Mapping[str, MissingObject] = {
    "publish_node": "publish-node",
    "customer": "subscriber",
    "master": "subscriber",
    "channel": "subscriber",
    "subscribed_table": "subscriber",
    "published_table": "published-table",
    "data_source": "database",
    "container": "container",
    "data_service": "data-service",
    "task_plan": "task-plan",
    "api_group": "api-group",
    "api_app": "api-app",
    "department": "department",
    "role": "role",
}
"""Name columns of the rows that an object refers to, by table."""


@dataclass(frozen=True, slots=True)
class KindDefinition:
    """`table` has the object's row."""

    menu_key: str
    table: Table
    name: Column[str]
    unique: tuple[tuple[Column[str], ...], ...]
    """Columns whose values together another object must not have; the last is the name that people know."""
    parts: tuple[Table, ...] = ()
    """Tables of the object's configuration, whose rows the store deletes with it (ON DELETE CASCADE). What else it
    deletes with it is not kept."""
    owned: tuple[Column[str], ...] = ()
    """References to rows that the feature deletes with the object."""

    @property
    def delete(self) -> Access:
        """Who may delete it for good."""
        return authorise(self.menu_key, Operation.DELETE)

    def check_create(self, principal: Principal) -> None:
        """Raise ForbiddenError for callers who may not create one, and so not restore one."""
        if not principal.may(self.menu_key, Operation.CREATE):
            raise ForbiddenError(menuKey=self.menu_key, operation=Operation.CREATE.value)


_REPLICATION = (master, channel, subscribed_table)

KINDS: Mapping[RecycledKind, KindDefinition] = {
    "sync-link": KindDefinition(
        "sync-link",
        sync_link,
        sync_link.c.name,
        ((publish_node.c.json_topic,), (sync_link.c.tenant_id, sync_link.c.name)),
        parts=(published_table, customer_database, *_REPLICATION, sync_task),
        owned=(
            sync_link.c.node_id,
            sync_link.c.customer_id,
            publish_node.c.service_id,
            publish_node.c.data_source_id,
            customer_database.c.data_source_id,
            channel.c.service_id,
        ),
    ),
    "publish-node": KindDefinition(
        "publish",
        publish_node,
        publish_node.c.name,
        ((publish_node.c.json_topic,), (publish_node.c.tenant_id, publish_node.c.name)),
        parts=(published_table,),
        owned=(publish_node.c.service_id, publish_node.c.data_source_id),
    ),
    "subscriber": KindDefinition(
        "subscribe",
        customer,
        customer.c.name,
        ((customer.c.tenant_id, customer.c.name),),
        parts=(customer_database,),
        owned=(customer_database.c.data_source_id,),
    ),
    "master": KindDefinition(
        "subscribe",
        master,
        master.c.name,
        ((master.c.customer_id, master.c.name),),
        parts=(channel, subscribed_table),
        owned=(channel.c.service_id,),
    ),
    "data-service": KindDefinition(
        "data-service/api-group",
        data_service,
        data_service.c.name,
        ((data_service.c.tenant_id, data_service.c.name),),
        owned=(data_service.c.service_id,),
    ),
    "api-group": KindDefinition(
        "data-service/api-group",
        api_group,
        api_group.c.name,
        ((api_group.c.data_service_id, api_group.c.prefix),),
        owned=(api_group.c.data_source_id,),
    ),
    "task-plan": KindDefinition(
        "task",
        task_plan,
        task_plan.c.name,
        ((task_plan.c.tenant_id, task_plan.c.name),),
    ),
    "saved-sql": KindDefinition(
        "resource/sqlManagement",
        sql_statement,
        sql_statement.c.description,
        ((sql_statement.c.tenant_id, sql_statement.c.description),),
    ),
    "article": KindDefinition(
        "resource/article",
        article,
        article.c.name,
        ((article.c.tenant_id, article.c.name),),
        parts=(article_version,),
    ),
    "policy": KindDefinition(
        "policy/define",
        strategy,
        strategy.c.product_name,
        ((strategy.c.tenant_id, strategy.c.product_name),),
        parts=(strategy_version, strategy_customer, strategy_table),
    ),
    "api": KindDefinition(
        "data-service/api-group",
        api,
        api.c.name,
        ((api.c.group_id, api.c.path),),
        parts=(api_version, api_grant),
    ),
    "user": KindDefinition(
        "authority-management/user-management",
        user,
        user.c.user_name,
        ((user.c.user_name,),),
        parts=(user_role, user_setting),
    ),
}

DEPENDING: frozenset[RecycledKind] = frozenset({"master", "policy"})
"""Kinds whose objects refer to rows that come back with new ids."""
