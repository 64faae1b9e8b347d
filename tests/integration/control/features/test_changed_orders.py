"""An agent is told what changed of its orders, and all of them where it is not known what it holds."""

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from zcbus.protocol.agent import Orders
from zcbus.protocol.tasks import PublishTask, SubscribeTask


def told(agent: FakeAgent) -> Orders:
    answer = agent.sync().orders
    assert answer is not None
    return answer


def whole(agent: FakeAgent) -> Orders:
    """All orders, as they are told to an agent that holds none."""
    agent.orders = None
    answer = told(agent)
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


def test_only_what_changed_is_told(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    (first, *_) = admin.call("sync/link/status", {"name": "shop"})["tables"]
    admin.call("sync/link/table/suspend", {"name": "shop", "tables": [first["source"]]})
    changes = told(agent)
    assert changes.since
    assert [order.task.type for order in changes.orders] == ["subscribe"]
    assert [f"public.{name}" for name in tables_of(changes, SubscribeTask)] == [first["source"]]
    assert len(changes.unchanged) == 1
    held = agent.orders
    assert same(held, whole(agent))


def test_tables_that_come_and_go_are_told(admin: Caller, agent: FakeAgent) -> None:
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


def test_orders_that_were_lost_on_the_way_are_told_again(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    held = agent.orders
    admin.call("sync/link/stop", {"name": "shop"})
    lost = told(agent)
    agent.orders = held
    again = told(agent)
    assert again.since == lost.since
    assert again.orders == lost.orders
    assert {order.desired for order in again.orders} == {"stopped"}


def test_a_control_plane_that_does_not_know_what_is_held_tells_all(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    assert agent.orders is not None
    agent.orders = agent.orders.model_copy(update={"edition": "of another replica"})
    admin.call("sync/link/stop", {"name": "shop"})
    orders = told(agent)
    assert (orders.since, orders.unchanged) == ("", ())
    assert sorted(tables_of(orders, SubscribeTask)) == sorted(tables_of(orders, PublishTask)) != []
