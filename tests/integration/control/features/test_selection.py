"""Selection lists, over the data of links in the real store."""

from datetime import timedelta

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import first_sign_in, form
from tests.integration.control.features.strategies import define_strategy
from tests.integration.control.features.test_publish import new_node
from tests.integration.control.features.test_roles import role
from tests.integration.control.features.test_subscribe import new_customer
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane

CONTAINERS = "container/cluster/getAll"
MEMBERS = "container/cluster/customer/getnodeidorcustomerid"
CHANNELS = "subscribe/control/get/channel/list"
STRATEGIES = "subscribe/product/list"


@pytest.fixture
def link(agent: FakeAgent, admin: Caller) -> str:
    link_id: str = admin.call("sync/link/apply", {"document": document()})["id"]
    return link_id


def test_customers_and_their_channels(link: str, admin: Caller) -> None:
    [customer] = admin.call("subscribe/customer/list", {"clientType": "client"})
    assert customer["name"]
    assert admin.call("subscribe/customer/list", {"clientType": "databus"}) == []
    [channel] = admin.call(CHANNELS, {"customerId": customer["customerid"]})
    assert channel["name"]
    assert admin.refused(CHANNELS, {"customerId": "nobody"})["data"]["error"] == "record-not-found"


def test_strategies_that_a_customer_was_given(link: str, admin: Caller, plane: ControlPlane) -> None:
    [customer] = admin.call("subscribe/customer/list", {"clientType": "client"})
    wanted = {"customerId": customer["customerid"]}
    assert admin.call(STRATEGIES, wanted) == {"records": [], "total": 0}
    for name in ("retail", "finance"):
        define_strategy(plane, "default", name, [customer["customerid"]])
    define_strategy(plane, "default", "without customers")
    page = admin.call(STRATEGIES, wanted | {"size": 1})
    assert ([record["productName"] for record in page["records"]], page["total"]) == (["finance"], 2)
    everything = admin.call(STRATEGIES, wanted | {"size": -1, "sort": "productName", "order": "desc"})
    assert [record["productName"] for record in everything["records"]] == ["retail", "finance"]
    assert admin.refused(STRATEGIES, {"customerId": "nobody"})["data"]["error"] == "record-not-found"
    add_user(plane, "outsider", "administrator", "south")
    outsider = Caller(plane, plane.sign_in("outsider"))
    assert outsider.refused(STRATEGIES, wanted)["data"]["error"] == "record-not-found"


def test_nodes_and_customers_by_what_a_service_is_made_for(link: str, admin: Caller) -> None:
    [node] = admin.call(MEMBERS, {"type": "publish", "customerType": ""})
    assert node["id"]
    assert node["name"]
    [customer] = admin.call("subscribe/customer/list", {"clientType": "client"})
    chosen = admin.call(MEMBERS, {"type": "subscribe", "customerType": "client"})
    assert chosen == [{"id": customer["customerid"], "name": customer["name"]}]
    assert admin.call(MEMBERS, {"type": "subscribe", "customerType": "stream"}) == []


def test_containers_are_found_by_name_and_by_connected_agents(
    agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    everything = admin.call(CONTAINERS, {"containerName": "", "displayName": "", "status": -1})
    assert (everything["total"], everything["records"][0]["status"]) == (1, 1)
    name = everything["records"][0]["containerName"]
    assert admin.call(CONTAINERS, {"containerName": name[1:4].upper(), "status": ""})["total"] == 1
    assert admin.call(CONTAINERS, {"containerName": "%"})["total"] == 0
    assert admin.call(CONTAINERS, {"status": 0})["total"] == 0
    agent.stop()
    plane.clock.advance(timedelta(seconds=11))
    assert admin.call(CONTAINERS, {"status": 0})["records"][0]["status"] == 0
    assert admin.call(CONTAINERS, {"status": 1})["total"] == 0


def test_another_tenants_customers_nodes_and_channels_are_not_there(
    link: str, admin: Caller, plane: ControlPlane
) -> None:
    [customer] = admin.call("subscribe/customer/list", {})
    add_user(plane, "stranger", "administrator", "south")
    stranger = Caller(plane, plane.sign_in("stranger"))
    assert stranger.call("subscribe/customer/list", {}) == []
    assert stranger.call(MEMBERS, {"type": "publish"}) == []
    assert stranger.refused(CHANNELS, {"customerId": customer["customerid"]})["data"]["error"] == "record-not-found"


def test_a_user_with_rights_on_subscribers_chooses_among_them_and_their_nodes(
    link: str, admin: Caller, plane: ControlPlane
) -> None:
    node = new_node(admin, "own")
    customer, _ = new_customer(admin)
    new_customer(admin, "refinery", clientType="databus")
    admin.call("account/role/add", role("keeper", permissions=[{"menuKey": "subscribe", "operations": ["view"]}]))
    admin.call("account/user/upsert", form("keeper", roleCode="keeper"))
    keeper = first_sign_in(plane, "keeper")
    assert {one["name"] for one in keeper.call("subscribe/customer/list", {"clientType": ""})} == {"branch", "shop"}
    assert keeper.call(CHANNELS, {"customerId": customer}) == []
    own = keeper.call(MEMBERS, {"type": "publish", "ownOnly": True})
    assert [one["id"] for one in own] == [node]
    assert len(keeper.call(MEMBERS, {"type": "publish"})) == 2
    process = next(one for one in admin.call("subscribe/customer/list", {"clientType": "databus"}))
    assert keeper.refused(CHANNELS, {"customerId": process["customerid"]})["data"]["error"] == "record-not-found"
