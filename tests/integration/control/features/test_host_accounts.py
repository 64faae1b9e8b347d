"""A token is one agent's on one host: other uses are refused, and removing the host ends it."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent, host_token
from tests.support.control_plane import ControlPlane
from zcbus.control.bootstrap import prepare
from zcbus.control.features.cluster.joining import remove_expired
from zcbus.control.features.container.start import ensure_agent_token
from zcbus.control.platform.host_tokens import LIFETIME, ROTATED_AFTER
from zcbus.protocol.agent import Registration, SyncRequest


def register(plane: ControlPlane, token: str, agent: str, host: str = "here", machine: str = "") -> Any:
    message = Registration(
        agent=agent, host=host, pid=1, version="0", container="default", machine_code=machine
    ).model_dump(mode="json")
    return plane.post("agent/register", message, token).json()


def sync(plane: ControlPlane, token: str, agent: str) -> Any:
    message = SyncRequest(agent=agent, at=plane.clock.now())
    return plane.post("agent/sync", message.model_dump(mode="json"), token).json()


def join(plane: ControlPlane, admin: Caller, agent: str, **values: Any) -> Any:
    container = admin.call("container/list", {})[0]["id"]
    offer = admin.call("container/cluster/join/offer", {"containerid": container})
    body = {"token": offer["token"], "agent": agent, "host": "here", "bus": "", **values}
    return plane.post("agent/join", body).json()


def error(answer: Any) -> tuple[int, str]:
    return answer["code"], answer["data"]["error"]


def test_another_agents_id_is_refused(plane: ControlPlane, agent: FakeAgent) -> None:
    other = host_token(plane, "other")
    assert register(plane, other, "other")["code"] == 200
    assert error(register(plane, other, agent.name)) == (40103, "not-this-agent")
    assert error(sync(plane, other, agent.name)) == (40103, "not-this-agent")
    news = plane.post("agent/news", {"agent": agent.name}, other).json()
    assert error(news) == (40103, "not-this-agent")
    assert error(register(plane, other, "a-third")) == (40103, "not-this-agent")


def test_the_data_folders_token_is_the_first_agents_alone(plane: ControlPlane, agent: FakeAgent) -> None:
    assert ensure_agent_token(plane.services) == agent.token
    assert error(register(plane, agent.token, "second")) == (40103, "not-this-agent")


def test_a_token_that_was_copied_to_another_host_is_refused(plane: ControlPlane) -> None:
    token = host_token(plane, "one", host="east")
    assert register(plane, token, "one", host="east")["code"] == 200
    assert error(register(plane, token, "one", host="west")) == (40103, "not-this-agent")
    with_code = ensure_agent_token(plane.services)
    assert register(plane, with_code, "two", machine="m-1")["code"] == 200
    assert register(plane, with_code, "two", host="renamed", machine="m-1")["code"] == 200
    assert error(register(plane, with_code, "two", machine="m-2")) == (40103, "not-this-agent")


def test_joining_takes_no_id_of_another_host(plane: ControlPlane, admin: Caller) -> None:
    first = join(plane, admin, "one")["data"]["token"]
    assert error(join(plane, admin, "one")) == (300, "host-id-taken")
    assert error(join(plane, admin, "one", present="host.guessed")) == (300, "host-id-taken")
    assert sync(plane, first, "one")["code"] == 404  # known, and not registered yet
    second = join(plane, admin, "one", present=first)["data"]["token"]
    assert error(sync(plane, first, "one")) == (40103, "host-removed")
    assert register(plane, second, "one")["code"] == 200


def test_a_removed_host_is_refused_with_the_reason(plane: ControlPlane, admin: Caller) -> None:
    token = host_token(plane, "one")
    register(plane, token, "one")
    plane.clock.advance(timedelta(seconds=30))
    admin.call("container/host/delete", {"deviceId": "one"})
    assert error(sync(plane, token, "one")) == (40103, "host-removed")
    assert error(register(plane, token, "one")) == (40103, "host-removed")
    again = join(plane, admin, "one")["data"]["token"]
    assert register(plane, again, "one")["code"] == 200


def test_tokens_are_replaced_once_a_day_and_end(plane: ControlPlane) -> None:
    first = host_token(plane, "one")
    register(plane, first, "one")
    assert sync(plane, first, "one")["data"]["token"] is None
    plane.clock.advance(ROTATED_AFTER)
    second = sync(plane, first, "one")["data"]["token"]
    # An answer may be lost: until the new one is used the old one is good, and gives another.
    third = sync(plane, first, "one")["data"]["token"]
    assert len({first, second, third}) == 3
    assert sync(plane, second, "one")["code"] == 401
    assert sync(plane, third, "one")["data"]["token"] is None
    assert sync(plane, first, "one")["code"] == 401
    plane.clock.advance(LIFETIME)
    assert sync(plane, third, "one")["code"] == 40101
    remove_expired(plane.services)
    assert sync(plane, third, "one")["code"] == 401


def test_a_replaced_token_of_the_data_folder_is_made_again_for_the_same_host(plane: ControlPlane) -> None:
    first = ensure_agent_token(plane.services)
    folder = plane.data_dir / "agent"
    folder.mkdir(exist_ok=True)
    (folder / "id").write_text("local-one")
    register(plane, first, "local-one")
    plane.clock.advance(ROTATED_AFTER)
    second = sync(plane, first, "local-one")["data"]["token"]
    sync(plane, second, "local-one")
    prepare(plane.services)
    third = ensure_agent_token(plane.services)
    assert third not in (first, second)
    assert [register(plane, token, "local-one")["code"] for token in (second, third)] == [200, 200]


@pytest.mark.parametrize("token", ["host.", "host.unknown", "host." + "x" * 200])
def test_made_up_tokens_are_refused(plane: ControlPlane, token: str) -> None:
    assert sync(plane, token, "one")["code"] == 401
