"""A node with 6,000 tables: lists, search, sort and bulk actions work on the server, and each table is answered for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_channel_transfer import channels_of
from tests.integration.control.features.test_publish import new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service, table_repository, unbound
from zcbus.control.features.subscribe import tables as subscribed_tables
from zcbus.control.features.subscribe.service import NewSubscription, TableSettings
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.model.states import CleanMode, DdlMode, LoadMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.every_store

COUNT = 6_000


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Prints its duration; nothing depends on it."""
    begun = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - begun:.2f} s")


def fill(admin: Caller, node: str, channels: list[str]) -> list[str]:
    """Publish and subscribe the tables as if they applied changes; returns their ids."""
    services = admin.plane.services
    now = services.clock.now()
    published = [
        {
            "id": f"p{number:05}",
            "node_id": node,
            "schema_name": f"s{number % 20:02}",
            "table_name": f"t{number:05}",
            "key_columns": [],
            "generation": 1,
            "state": "incremental-release",
            "state_since": now,
            "current_since": now,
            "reported_generation": 1,
            "rows_read": 0,
            "inserts": 0,
            "updates": 0,
            "deletes": 0,
        }
        for number in range(COUNT)
    ]
    with services.database.write() as store:
        store.execute(published_table.insert(), published)
        ids = service.subscribe_tables(
            store,
            [
                NewSubscription(
                    channels[number % len(channels)],
                    str(one["id"]),
                    TableSettings(
                        target=TableRef(schema_name="copy", table=f"t{number:05}"),
                        columns=(),
                        key=(),
                        load=LoadMode.BOTH,
                        clean=CleanMode.NONE,
                        ddl=DdlMode.STOP,
                    ),
                    1,
                )
                for number, one in enumerate(published)
            ],
            now,
        )
        applying = {"state": "incremental-running", "reported_generation": 1, "reported_at": now, "inserts": 5}
        store.execute(subscribed_table.update().values(applying))
    return ids


@pytest.mark.soak
def test_six_thousand_tables_in_one_node(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    master = new_master(admin, new_customer(admin), node, channelCount=2)
    first, second = channels_of(admin, master).values()
    agent.rest()
    ids = fill(admin, node, [first])
    asked = {"controlId": master, "size": 100}
    with timed("first page"):
        page = admin.call("subscribe/table/page", asked)
    assert (page["total"], len(page["records"])) == (COUNT, 100)
    with timed("last page, sorted by state"):
        page = admin.call("subscribe/table/page", {**asked, "current": 60, "sort": "state", "order": "desc"})
    assert len(page["records"]) == 100
    with timed("search"):
        page = admin.call("subscribe/table/page", {**asked, "search": "t0599"})
    assert [row["source"] for row in page["records"]] == [
        f"s{n % 20:02}.t{n:05}" for n in sorted(range(5990, 6000), key=lambda n: (n % 20, n))
    ]
    with timed("published, searched"):
        assert admin.call("publish/table/page", {"nodeMaster": node, "search": "s07.", "size": 20})["total"] == 300
    with timed("node info"):
        assert admin.call("publish/buspushstatustb/getNodeInfo", {"nodeMaster": node})["tables"]["total"] == COUNT
    with timed("masters"):
        (listed,) = admin.call("subscribe/control/page", {})["records"]
    assert listed["tables"]["total"] == COUNT
    with timed("suspend all"):
        results = admin.call("subscribe/table/suspend", {"tables": ids})
    assert (len(results), all(one["done"] for one in results)) == (COUNT, True)
    with timed("resume all"):
        assert len(admin.call("subscribe/table/resume", {"tables": ids})) == COUNT
    with timed("rebalance previewed"):
        plan = admin.call("subscribe/control/rebalance/preview", {"controlId": master, "mode": "incremental"})
    assert plan["reached"]
    with timed("half of them transferred"):
        results = admin.call("subscribe/table/transfer", {"tables": ids[: COUNT // 2], "channelId": second})
    assert sum(one["done"] for one in results) == COUNT // 2


@pytest.mark.wide
@pytest.mark.soak(but=["postgresql"])
def test_more_tables_than_a_statement_has_parameters(agent: FakeAgent, admin: Caller) -> None:
    """A link's patterns may choose any number of tables; SQLite takes 32,766 values in a statement."""
    node = new_node(admin)
    (channel,) = channels_of(admin, new_master(admin, new_customer(admin), node)).values()
    agent.rest()
    own = fill(admin, node, [channel])[:1]
    ids = [*(f"unknown{number}" for number in range(40_000)), *own]
    with admin.plane.services.database.write() as store:
        service.set_suspended(store, ids, True)
        table_repository.set_modes(store, ids, clean_mode=CleanMode.DROP.value)
        service.retry(store, ids)
        service.set_error_limits(store, ids, error_limit=7, dml_skip=0, ddl_skip=0)
        (changed,) = subscribed_tables.readers_of(store, ["p00000", *ids])
        assert (changed.suspended, changed.clean_mode, changed.retry, changed.error_limit) == (True, "drop", 1, 7)
        unbound.keep(store, ids, admin.plane.clock.now())
        service.remove_tables(store, ids)
        for change in (publish.retry, publish.accept_gaps, publish.stop_tables, publish.remove_tables):
            change(store, ["p00000", *ids])
    assert admin.call("publish/table/page", {"nodeMaster": node, "size": 1})["total"] == COUNT - 1
    assert admin.call("subscribe/table/page", {"size": 1})["total"] == COUNT - 1
