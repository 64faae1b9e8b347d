"""Which objects depend on what each call deletes, and which of them prevent it."""

from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.control.features.dependants.finding import Finder, by, by_database, by_driver, by_route, plans
from zcbus.control.features.dependants.schemas import Deleting, DependantKind
from zcbus.control.platform.menus import CUSTOMER_PAGES
from zcbus.control.store.tables.alert_rule import alert_rule
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.data_service import api, api_app, api_grant, api_group
from zcbus.control.store.tables.identity import department, user, user_role
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan


@dataclass(frozen=True, slots=True)
class Dependant:
    """Objects of a kind that depend on the deleted one."""

    kind: DependantKind
    find: Finder
    prevents: bool = False
    """Whether the server refuses the deletion while there are any."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """One call that deletes."""

    menu_keys: tuple[str, ...]
    """The caller needs the right to delete on one of these, as for the call itself."""
    dependants: tuple[Dependant, ...]


_customers = tuple(CUSTOMER_PAGES.values())
_apis = api.join(api_group, api_group.c.id == api.c.group_id)
_tables = subscribed_table.join(channel, channel.c.id == subscribed_table.c.channel_id)
_masters = _tables.join(master, master.c.id == channel.c.master_id)
_databases = customer_database.join(customer, customer.c.id == customer_database.c.customer_id)
_channels = channel.join(master, master.c.id == channel.c.master_id)

DELETIONS: Mapping[Deleting, Deletion] = {
    "account/dept/delete": Deletion(
        ("authority-management/dept-management",),
        (
            Dependant("department", by(department.c.id, department.c.parent_id), prevents=True),
            Dependant("user", by(user.c.id, user.c.dept_id), prevents=True),
        ),
    ),
    "account/role/delete": Deletion(
        ("authority-management/role-management",),
        (Dependant("user", by(user_role.c.user_id, user_role.c.role_id), prevents=True),),
    ),
    # A plan runs in its owner's name: without the owner its runs fail.
    "account/user/delete": Deletion(
        ("authority-management/user-management",), (Dependant("plan", by(task_plan.c.id, task_plan.c.owner_id)),)
    ),
    "container/cluster/delete": Deletion(
        ("container",),
        (
            Dependant("service", by(service.c.id, service.c.container_id), prevents=True),
            Dependant("alert-rule", by(alert_rule.c.id, alert_rule.c.container_id)),
        ),
    ),
    "container/cluster/customer/delete": Deletion(
        ("system/service_management",),
        (
            Dependant("node", by(publish_node.c.id, publish_node.c.service_id)),
            Dependant("customer", by(master.c.customer_id, channel.c.service_id, _channels)),
            Dependant("customer", by(computation.c.customer_id, computation.c.service_id)),
            Dependant("alert-rule", by(alert_rule.c.id, alert_rule.c.service_id)),
        ),
    ),
    "container/host/delete": Deletion(("container",), (Dependant("service", by(service.c.id, service.c.agent_id)),)),
    "customer/delete": Deletion(
        ("customer",),
        (
            Dependant("user", by(user.c.id, user.c.tenant_id), prevents=True),
            Dependant("link", by(sync_link.c.id, sync_link.c.tenant_id), prevents=True),
            Dependant("node", by(publish_node.c.id, publish_node.c.tenant_id), prevents=True),
            Dependant("customer", by(customer.c.id, customer.c.tenant_id), prevents=True),
            Dependant("policy", by(strategy.c.id, strategy.c.tenant_id), prevents=True),
            Dependant("plan", by(task_plan.c.id, task_plan.c.tenant_id), prevents=True),
            Dependant("service", by(service.c.id, service.c.tenant_id), prevents=True),
            Dependant("app", by(api_app.c.id, api_app.c.tenant_id), prevents=True),
        ),
    ),
    "data-service/api/delete": Deletion(
        ("data-service/api-group",), (Dependant("app", by(api_grant.c.app_id, api_grant.c.api_id)),)
    ),
    "data-service/group/delete": Deletion(
        ("data-service/api-group",), (Dependant("api", by(api.c.id, api.c.group_id), prevents=True),)
    ),
    "data-service/service/delete": Deletion(
        ("data-service/api-group",),
        (Dependant("api", by(api.c.id, api_group.c.data_service_id, _apis), prevents=True),),
    ),
    "deploy/driver/delete": Deletion(
        ("resource/drivers",),
        (
            Dependant("node", by_driver(publish_node.c.id, publish_node.c.data_source_id)),
            Dependant("customer", by_driver(customer.c.id, customer.c.data_source_id)),
            Dependant("customer", by_driver(customer.c.id, customer_database.c.data_source_id, _databases)),
            Dependant("api", by_driver(api.c.id, api_group.c.data_source_id, _apis)),
        ),
    ),
    "policy/define/delete": Deletion(
        ("policy/define",),
        (
            Dependant("customer", by(strategy_customer.c.customer_id, strategy_customer.c.strategy_id), prevents=True),
            Dependant("plan", plans(lambda job: (job.distribution.policy,) if job.distribution else ())),
        ),
    ),
    "publish/node/delete": Deletion(
        ("publish",),
        (
            Dependant("link", by(sync_link.c.id, sync_link.c.node_id), prevents=True),
            Dependant("customer", by(master.c.customer_id, master.c.node_id), prevents=True),
            Dependant("policy", by(strategy.c.id, strategy.c.node_id)),
            Dependant(
                "alert-rule",
                by(
                    alert_rule.c.id,
                    publish_node.c.id,
                    alert_rule.join(publish_node, publish_node.c.service_id == alert_rule.c.service_id),
                ),
            ),
        ),
    ),
    "resource/sql/delete": Deletion(
        ("resource/sqlManagement",), (Dependant("plan", plans(lambda job: (job.sql.statement,) if job.sql else ())),)
    ),
    "subscribe/channel/delete": Deletion(
        _customers,
        (
            Dependant("subscribed-table", by(subscribed_table.c.id, subscribed_table.c.channel_id), prevents=True),
            Dependant("policy", by(strategy_customer.c.strategy_id, strategy_customer.c.channel_id)),
        ),
    ),
    "subscribe/control/delete": Deletion(
        _customers,
        (
            Dependant("subscribed-table", by(subscribed_table.c.id, channel.c.master_id, _tables)),
            Dependant("policy", by(strategy_customer.c.strategy_id, strategy_customer.c.master_id)),
            Dependant("plan", plans(lambda job: (job.distribution.masters or ()) if job.distribution else ())),
        ),
    ),
    "subscribe/customer/delete": Deletion(
        _customers,
        (
            Dependant("link", by(sync_link.c.id, sync_link.c.customer_id), prevents=True),
            Dependant("master", by(master.c.id, master.c.customer_id), prevents=True),
            Dependant("computation", by(computation.c.id, computation.c.customer_id), prevents=True),
            Dependant("subscribed-table", by(subscribed_table.c.id, master.c.customer_id, _masters), prevents=True),
            Dependant("policy", by(strategy_customer.c.strategy_id, strategy_customer.c.customer_id), prevents=True),
        ),
    ),
    "subscribe/database/delete": Deletion(
        _customers,
        (
            Dependant("master", by_database(master.c.id, master), prevents=True),
            Dependant("computation", by(computation.c.id, computation.c.database_id), prevents=True),
            Dependant("subscribed-table", by_database(subscribed_table.c.id, _masters), prevents=True),
        ),
    ),
    "sync/link/delete": Deletion(
        ("sync-link",),
        (
            Dependant("plan", by(task_plan.c.id, task_plan.c.link_id)),
            Dependant("alert-rule", by(alert_rule.c.id, alert_rule.c.link_id)),
        ),
    ),
    "system/network-route/delete": Deletion(
        ("system/network-configuration",),
        (
            Dependant("node", by_route(publish_node.c.id, publish_node.c.data_source_id), prevents=True),
            Dependant("customer", by_route(customer.c.id, customer.c.data_source_id), prevents=True),
            Dependant(
                "customer", by_route(customer.c.id, customer_database.c.data_source_id, _databases), prevents=True
            ),
            Dependant("api", by_route(api.c.id, api_group.c.data_source_id, _apis), prevents=True),
        ),
    ),
    "task/plan/delete": Deletion(
        ("task",), (Dependant("plan", by(task_plan.c.id, task_plan.c.after_id), prevents=True),)
    ),
}
