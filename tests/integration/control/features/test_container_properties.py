"""Properties of a container: listed, checked, sent to its agents."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.bootstrap import build_catalogue
from zcbus.model.properties import PROPERTIES
from zcbus.protocol.tasks import PublishTask

CALLS = "container/cluster/customer"
LIST = f"{CALLS}/getBusClusterContainerPropertiesListByContainerAndMid"
CHANGE = f"{CALLS}/addAndUpdateProperties"
pytestmark = pytest.mark.parametrize("prepared_store", ["sqlite"], indirect=True)


@pytest.fixture
def container_id(admin: Caller) -> str:
    return str(admin.call("container/list", {})[0]["id"])


def change(container_id: str, module: str, **values: Any) -> tuple[str, dict[str, Any]]:
    named = [{"name": name, "value": value} for name, value in values.items()]
    group = {"module": module, "properties": named}
    return CHANGE, {"modifyType": "update", "containerId": container_id, "modulelist": [group]}


def shown(admin: Caller, container_id: str, module: str) -> dict[str, Any]:
    [group] = admin.call(LIST, {"containerid": container_id, "mid": module})
    return {one["name"]: one["value"] for one in group["properties"]}


def test_every_property_is_listed_with_its_description(admin: Caller, container_id: str) -> None:
    modules = admin.call(LIST, {"containerid": container_id})
    listed = {f"{group['module']}.{one['name']}": one for group in modules for one in group["properties"]}
    assert list(listed) == list(PROPERTIES)
    size = listed["logging.size"]
    assert (size["title"], size["unit"], size["default"], size["value"]) == ("Size of a log file", "MiB", 8, None)
    assert (size["restart"], listed["supervision.stop"]["restart"]) == (True, False)
    texts = {f"property.{key}.{part}" for key in listed for part in ("title", "help")}
    assert texts <= build_catalogue().message_keys()


def test_settings_reach_the_agent_and_restart_services_where_needed(
    agent: FakeAgent, admin: Caller, container_id: str
) -> None:
    admin.call("sync/link/apply", {"document": document()})
    before = agent.order(PublishTask).restart
    admin.call(*change(container_id, "supervision", stop=5))
    assert agent.order(PublishTask).restart == before
    assert agent.orders is not None
    assert agent.orders.properties == {"supervision.stop": 5}
    admin.call(*change(container_id, "batch", bytes=2, records=10))
    assert agent.order(PublishTask).restart == before + 1
    assert agent.orders.properties == {"supervision.stop": 5, "batch.bytes": 2, "batch.records": 10}
    # Set again to the same, it changes nothing.
    admin.call(*change(container_id, "batch", bytes=2))
    admin.call(*change(container_id, "supervision", stop=None))
    assert agent.order(PublishTask).restart == before + 1
    assert agent.orders.properties == {"batch.bytes": 2, "batch.records": 10}
    assert shown(admin, container_id, "batch") == {"bytes": 2, "records": 10}


@pytest.mark.parametrize(
    ("module", "name", "value", "error"),
    [
        ("batch", "size", 1, "property-unknown"),
        ("batch", "bytes", 0, "property-refused"),
        ("logging", "files", 101, "property-refused"),
    ],
)
def test_refused_properties_change_nothing(
    admin: Caller, container_id: str, module: str, name: str, value: int, error: str
) -> None:
    both = change(container_id, module, **{name: value})
    both[1]["modulelist"].insert(0, {"module": "worker", "properties": [{"name": "memory", "value": 256}]})
    answer = admin.refused(*both)
    assert (answer["data"]["error"], f"{module}.{name}" in answer["message"]) == (error, True)
    assert shown(admin, container_id, "worker") == {"memory": None}
    assert admin.refused(*change(container_id, "batch", bytes="many"))["code"] == 422


def test_administrators_of_a_tenant_may_not_change_properties(plane: ControlPlane, container_id: str) -> None:
    south = administrator_of(plane, "south")
    assert south.refused(*change(container_id, "batch", bytes=1))["code"] == 40103


def test_where_a_container_may_connect_to_reaches_its_agents(
    agent: FakeAgent, admin: Caller, container_id: str
) -> None:
    admin.call("sync/link/apply", {"document": document()})
    before = agent.order(PublishTask).restart
    assert agent.orders is not None
    assert agent.orders.reach.loopback
    wanted = {"containerid": container_id, "allow": ["10.0.0.7/8"], "deny": ["10.9.0.0/16"]}
    admin.call(f"{CALLS}/editNetwork", wanted)
    assert agent.order(PublishTask).restart == before + 1
    assert (agent.orders.reach.allow, agent.orders.reach.deny) == (("10.0.0.0/8",), ("10.9.0.0/16",))
    shown = admin.call(f"{CALLS}/network", {"containerid": container_id})
    assert (shown["allow"], shown["listenAddresses"], shown["firstPort"]) == (["10.0.0.0/8"], [], 1024)
    limits = {"firstPort": 8000, "lastPort": 8099, "listenAddresses": ["127.0.0.1"]}
    admin.call(f"{CALLS}/editNetwork", {**wanted, **limits})
    assert agent.order(PublishTask).restart == before + 1
    for host, port in (("127.0.0.1", 9000), ("0.0.0.0", 8001)):
        refused = admin.refused("data-service/service/add", {"name": "gate", "host": host, "port": port})
        assert "does not allow data services" in refused["message"]
    # Both ends of the range count, at a change too.
    gate = admin.call("data-service/service/add", {"name": "gate", "host": "127.0.0.1", "port": 8000})
    changed = {"id": gate["id"], "name": "gate", "host": "127.0.0.1"}
    for port in (7999, 8100):
        agent.order(PublishTask)  # so that it counts as connected, however slow the machine is
        refused = admin.refused("data-service/service/edit", {**changed, "port": port})
        assert "does not allow data services" in refused["message"]
    admin.call("data-service/service/edit", {**changed, "port": 8099})
