"""Strategies as the policy pages will make them: until then only the store can hold one."""

from collections.abc import Iterable

from sqlalchemy import select

from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.identity import tenant
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.kit.ids import new_id


def define_strategy(plane: ControlPlane, tenant_name: str, name: str, customer_ids: Iterable[str] = ()) -> None:
    """A strategy of a tenant, given to these customers."""
    key, now = new_id(), plane.clock.now()
    with plane.services.database.write() as connection:
        tenant_id = connection.execute(select(tenant.c.id).where(tenant.c.name == tenant_name)).scalar_one()
        values = {"id": key, "tenant_id": tenant_id, "product_name": name, "created_at": now}
        connection.execute(strategy.insert().values(values))
        for customer_id in customer_ids:
            given = {"strategy_id": key, "customer_id": customer_id, "given_at": now}
            connection.execute(strategy_customer.insert().values(given))
