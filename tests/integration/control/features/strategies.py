"""Policies that customers have, without the agents that a delivery asks."""

from collections.abc import Iterable

from sqlalchemy import select

from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.identity import tenant
from zcbus.control.store.tables.policy import strategy, strategy_customer, strategy_version
from zcbus.control.store.tables.subscribe import master
from zcbus.kit.ids import new_id


def define_strategy(plane: ControlPlane, tenant_name: str, name: str, customer_ids: Iterable[str] = ()) -> None:
    """A strategy of a tenant with one version, delivered to these customers."""
    key, now = new_id(), plane.clock.now()
    with plane.services.database.write() as connection:
        tenant_id = connection.execute(select(tenant.c.id).where(tenant.c.name == tenant_name)).scalar_one()
        values = {"id": key, "tenant_id": tenant_id, "product_name": name, "created_at": now, "updated_at": now}
        connection.execute(strategy.insert().values(values))
        version = {"contents": {"tables": []}, "tables": 0, "note": name, "created_by": name, "created_at": now}
        connection.execute(strategy_version.insert().values(strategy_id=key, number=1, **version))
        for customer_id in customer_ids:
            masters = select(master.c.id).where(master.c.customer_id == customer_id).limit(1)
            given = {"master_id": connection.execute(masters).scalar_one(), "version": 1, "given_at": now}
            connection.execute(
                strategy_customer.insert().values(id=new_id(), strategy_id=key, customer_id=customer_id, **given)
            )
