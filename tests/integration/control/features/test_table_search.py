"""Lists of tables find a table by the name that they show, `schema.table`, and no other table."""

from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, subscribe

# Its parts contain those of `public.orders`, its name does not.
ALIKE = "UPDATE published_table SET schema_name = 'public_old', table_name = 'orders_x' WHERE table_name = 'lines'"


def test_tables_are_found_by_the_name_that_is_shown(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    customer = new_customer(admin)
    master, other = new_master(admin, customer, node), new_master(admin, customer, node, name="other")
    subscribe(admin, master, list(ids.values()))
    with agent.plane.services.database.write() as store:
        store.exec_driver_sql(ALIKE)
    lists: dict[str, tuple[dict[str, Any], str]] = {
        "publish/table/page": ({"nodeMaster": node}, "table"),
        "subscribe/table/page": ({"controlId": master}, "source"),
        "subscribe/table/candidate/page": ({"controlId": other}, "table"),
        "stream/input/page": ({}, "table"),
        "monitor/pubAndSub-statistics/page": ({"by": "table"}, "source"),
    }
    found = {
        path: (admin.call(path, wanted)["total"], names(admin, path, wanted, shown))
        for path, (wanted, shown) in lists.items()
    }
    assert found == dict.fromkeys(lists, (2, ["public.orders"]))
    # Some lists take several names, and every list a part of one.
    two = names(admin, "subscribe/table/page", {"controlId": master}, "source", "PUBLIC.ord, public_old.orders")
    assert two == ["public.orders", "public_old.orders_x"]


def names(admin: Caller, path: str, wanted: dict[str, Any], shown: str, search: str = "public.orders") -> list[str]:
    records = admin.call(path, {**wanted, "search": search})["records"]
    return sorted(f"{one['schema']}.{one[shown]}" if "schema" in one else one[shown] for one in records)
