"""Properties of a container's connections to Kafka: checked, kept secret, given to its agents."""

from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.container import container
from zcbus.protocol.agent import plain
from zcbus.protocol.tasks import PublishTask

CALLS = "container/cluster/customer"
SECRET = "broker-secret-7"


def edit(container_id: str, sort: str, **properties: str | None) -> tuple[str, dict[str, Any]]:
    """The call that sets these properties; `_` in the names is a point."""
    named = [{"name": name.replace("_", "."), "value": value} for name, value in properties.items()]
    return f"{CALLS}/editKafkaProperties", {"containerid": container_id, "kafkaType": sort, "properties": named}


def shown(who: Caller, container_id: str, sort: str) -> list[tuple[str, str | None, bool]]:
    call = "proEditPushKafkaProperties" if sort == "push" else "proEditClientKafkaProperties"
    found = who.call(f"{CALLS}/{call}", {"containerid": container_id})
    assert (found["kafkaType"], found["containerid"]) == (sort, container_id)
    return [(one["name"], one["value"], one["secret"]) for one in found["properties"]]


@pytest.fixture
def container_id(admin: Caller) -> str:
    return str(admin.call("container/list", {})[0]["id"])


def test_properties_reach_the_agent_and_restart_its_services(
    agent: FakeAgent, admin: Caller, container_id: str, plane: ControlPlane
) -> None:
    admin.call("sync/link/apply", {"document": document()})
    before = agent.order(PublishTask).restart
    admin.call(*edit(container_id, "push", linger_ms="7", sasl_password=SECRET))
    admin.call(*edit(container_id, "client", fetch_wait_max_ms="20"))
    assert agent.order(PublishTask).restart == before + 2
    assert agent.orders is not None
    assert plain(agent.orders.push_properties) == {"linger.ms": "7", "sasl.password": SECRET}
    assert plain(agent.orders.client_properties) == {"fetch.wait.max.ms": "20"}
    assert shown(admin, container_id, "push") == [("linger.ms", "7", False), ("sasl.password", None, True)]
    admin.call(*edit(container_id, "push", linger_ms="8", sasl_password=None))
    agent.sync()
    assert plain(agent.orders.push_properties) == {"linger.ms": "8", "sasl.password": SECRET}
    with plane.services.database.read() as store:
        stored = store.execute(sa.select(container.c.sealed_properties)).scalars().all()
    assert SECRET not in str(stored)


def test_without_a_container_the_only_one_is_meant(admin: Caller, container_id: str) -> None:
    properties = [{"name": "linger.ms", "value": "7"}]
    as_specified = {"kafkaType": "push", "properties": properties}
    admin.call(f"{CALLS}/editKafkaProperties", as_specified)
    assert shown(admin, container_id, "push") == [("linger.ms", "7", False)]
    admin.call("container/cluster/add", {"containerName": "east", "displayName": "East"})
    refused = admin.refused(f"{CALLS}/editKafkaProperties", as_specified)
    assert refused["data"]["error"] == "container-choice-needed"
    assert refused["message"] == "Choose a container: there are 2"


@pytest.mark.parametrize(
    ("sort", "properties", "named"),
    [
        ("push", {"lingerr_ms": "7"}, "lingerr.ms"),
        ("client", {"fetch_wait_max_ms": "soon"}, "fetch.wait.max.ms"),
        ("push", {"acks": "0"}, "acks"),
        ("client", {"plugin_library_paths": "/tmp/x"}, "plugin.library.paths"),
        ("push", {"sasl_password": None}, "sasl.password"),
        ("push", {"client_id": "a;b=c"}, "client.id"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_kafka_properties_change_nothing(
    admin: Caller, container_id: str, sort: str, properties: dict[str, str | None], named: str
) -> None:
    answer = admin.refused(*edit(container_id, sort, **properties))
    assert answer["data"]["error"] == "kafka-property-refused"
    assert named in answer["message"]
    assert shown(admin, container_id, sort) == []


def test_administrators_of_a_tenant_may_not_change_kafka_properties(plane: ControlPlane, container_id: str) -> None:
    south = administrator_of(plane, "south")
    assert south.refused(*edit(container_id, "push", linger_ms="7"))["code"] == 40103
