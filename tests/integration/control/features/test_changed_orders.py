"""An agent gets the changes of its orders, and all of them where its edition is unknown."""

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from zcbus.protocol.agent import Orders
from zcbus.protocol.tasks import PublishTask, SubscribeTask


def synced_orders(agent: FakeAgent) -> Orders:
    answer = agent.sync().orders
    assert answer is not None
    return answer


def whole(agent: FakeAgent) -> Orders:
    """All orders, as an agent without any gets them."""
    agent.orders = None
    answer = synced_orders(agent)
    assert answer.since == ""
    return answer


def tables_of(orders: Orders, kind: type[PublishTask] | type[SubscribeTask]) -> list[str]:
    return [table.source.table for one in orders.orders if isinstance(one.task, kind) for table in one.task.tables]


def same(held: Orders | None, orders: Orders) -> bool:
    """Whether two say the same of each service, whatever the order of the tables."""
    assert held is not None

    def said(one: Orders) -> dict[str, object]:
        return {
            order.service: (
                order.model_dump(exclude={"task": {"tables"}}),
                {table.id: table for table in getattr(order.task, "tables", ())},
            )
            for order in one.orders
        }

    return said(held) == said(orders)


def test_only_changes_are_sent(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    (first, *_) = admin.call("sync/link/status", {"name": "shop"})["tables"]
    admin.call("sync/link/table/suspend", {"name": "shop", "tables": [first["source"]]})
    changes = synced_orders(agent)
    assert changes.since
    assert [order.task.type for order in changes.orders] == ["subscribe"]
    assert [f"public.{name}" for name in tables_of(changes, SubscribeTask)] == [first["source"]]
    assert len(changes.unchanged) == 1
    held = agent.orders
    assert same(held, whole(agent))


def test_added_and_removed_tables_are_sent(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document(tables=["public.orders"])})
    agent.rest()
    agent.sync()
    agent.deaf = False
    admin.call("sync/link/apply", {"document": document(tables=["public.lines"])})
    agent.rest()
    agent.sync()
    held = agent.orders
    assert held is not None
    assert tables_of(held, SubscribeTask) == tables_of(held, PublishTask) == ["lines"]
    assert same(held, whole(agent))


def test_orders_that_were_lost_on_the_way_are_sent_again(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    held = agent.orders
    admin.call("sync/link/stop", {"name": "shop"})
    lost = synced_orders(agent)
    agent.orders = held
    again = synced_orders(agent)
    assert again.since == lost.since
    assert again.orders == lost.orders
    assert {order.desired for order in again.orders} == {"stopped"}


def test_a_control_plane_without_the_agent_s_edition_sends_everything(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    assert agent.orders is not None
    agent.orders = agent.orders.model_copy(update={"edition": "of another replica"})
    admin.call("sync/link/stop", {"name": "shop"})
    orders = synced_orders(agent)
    assert (orders.since, orders.unchanged) == ("", ())
    assert sorted(tables_of(orders, SubscribeTask)) == sorted(tables_of(orders, PublishTask)) != []
