"""Calls that take long: their caller sees how far they are, and calls them off before they change anything."""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, new_node
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from tests.support.processes import wait_until
from zcbus.control.features.alert.long_calls import raise_alerts
from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform.progress import CallCancelledError, FollowedProgress, find, remove_left_over
from zcbus.protocol.agent import RequestProgress

CHOICE = {"key": "my-own-name-1"}
Aside = Callable[..., Future[httpx.Response]]


@pytest.fixture
def aside() -> Iterator[Aside]:
    """Make a call in parallel to the test."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit


def apply_followed(admin: Caller, key: str = CHOICE["key"]) -> httpx.Response:
    headers = {"ZCBUS-TOKEN": admin.token, "env": "en", "zcbus-progress": key}
    return admin.plane.client.post("/api/zcbus/sync/link/apply", json={"document": document()}, headers=headers)


def progress_of(caller: Caller, language: str = "en") -> Any:
    return caller.call("common/progress/get", CHOICE, language)


def begun(admin: Caller, agent: FakeAgent, aside: Aside) -> tuple[Future[httpx.Response], str]:
    """A call that waits for a pre-check, and the question that the agent has."""
    agent.rest()
    agent.slow.add("precheck")
    made = aside(apply_followed, admin)
    return made, agent.await_question("precheck")


def test_a_call_reports_progress_to_its_caller(
    admin: Caller, agent: FakeAgent, aside: Aside, plane: ControlPlane
) -> None:
    assert progress_of(admin) is None
    made, question = begun(admin, agent, aside)
    assert (progress_of(admin)["text"], progress_of(admin)["total"]) == ("Checking the tables", 0)
    agent.sync(progress=(RequestProgress(request=question, done=2, total=8),))
    wait_until(lambda: progress_of(admin)["total"] == 8, 20, "the agent's progress is shown")
    now = progress_of(admin, "zh")
    assert (now["text"], now["done"], now["cancellable"]) == ("正在预检查", 2, True)
    assert now["timeLeftMs"] >= 0
    add_user(plane, "south", "administrator", "south")
    other = Caller(plane, plane.sign_in("south"))
    assert (progress_of(other), other.call("common/progress/cancel", CHOICE)) == (None, False), (
        "it belongs to no other user"
    )
    agent.finish()
    assert made.result(20).json()["code"] == 200
    assert progress_of(admin) is None
    assert admin.call("sync/link/page")["total"] == 1


def test_a_question_lasts_as_long_as_it_makes_progress(
    admin: Caller, agent: FakeAgent, aside: Aside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_SECONDS", 1)
    made, question = begun(admin, agent, aside)
    begun_at = time.monotonic()
    for number in itertools.count(1):
        agent.sync(progress=(RequestProgress(request=question, done=number, total=1_000),))
        if made.done() or time.monotonic() - begun_at > 2.5:
            break
        time.sleep(0.1)
    assert not made.done(), "it was cut off"
    agent.deaf = True
    wait_until(made.done, 20, "it is given up once it stalls")
    assert made.result().json()["data"]["error"] == "agent-silent"


def test_a_cancelled_call_changes_nothing_and_its_agent_stops(admin: Caller, agent: FakeAgent, aside: Aside) -> None:
    made, question = begun(admin, agent, aside)
    assert agent.sync(progress=(RequestProgress(request=question, done=1, total=8),)).withdrawn == ()
    assert admin.call("common/progress/cancel", CHOICE) is True
    envelope = made.result(20).json()
    assert (envelope["code"], envelope["data"]["error"]) == (300, "call-cancelled")
    assert envelope["message"] == "Cancelled, nothing was changed"
    assert agent.sync(progress=(RequestProgress(request=question, done=3, total=8),)).withdrawn == (question,)
    assert admin.call("sync/link/page")["total"] == 0
    newest = admin.call("monitor/operation-log/page", {"size": 20})["records"][0]
    assert (newest["action"], newest["result"], newest["errorCode"]) == (
        "sync-link_apply_document",
        "failed",
        "call-cancelled",
    )
    assert admin.call("common/progress/cancel", CHOICE) is False


def test_a_call_that_is_being_saved_cannot_be_cancelled(admin: Caller, plane: ControlPlane) -> None:
    user = plane.get("auth/info", admin.token).json()["data"]["user"]["userId"]
    late, early = (FollowedProgress(plane.services, user, f"{name}-name") for name in ("late", "early"))
    late.step("store", 3, final=True)
    assert admin.call("common/progress/get", {"key": "late-name"})["cancellable"] is False
    assert admin.call("common/progress/cancel", {"key": "late-name"}) is False
    late.step("store", 3, final=True)
    assert admin.call("common/progress/cancel", {"key": "early-name"}) is True
    with pytest.raises(CallCancelledError):
        early.step("store", 3, final=True)


def test_names_of_calls_have_their_form(admin: Caller, agent: FakeAgent) -> None:
    for key in ("short", "with blanks", "x" * 65):
        assert apply_followed(admin, key).status_code == 422


def test_progress_of_a_killed_process_is_removed(admin: Caller, plane: ControlPlane) -> None:
    user = plane.get("auth/info", admin.token).json()["data"]["user"]["userId"]
    FollowedProgress(plane.services, user, CHOICE["key"])
    remove_left_over(plane.services)
    assert progress_of(admin)["text"] == "Preparing"
    plane.clock.advance(timedelta(hours=7))
    remove_left_over(plane.services)
    with plane.services.database.read() as store:
        assert find(store, user, CHOICE["key"]) is None


def bell(admin: Caller, plane: ControlPlane, language: str = "en") -> list[str]:
    """The bell's entries about long calls."""
    raise_alerts(plane.services)
    records = admin.call("sys/alarmmsg/page", {"size": 20}, language)["records"]
    return [one["content"] for one in records if one["kind"].startswith("work-")]


def test_the_bell_shows_the_end_of_long_calls(
    admin: Caller, agent: FakeAgent, aside: Aside, plane: ControlPlane
) -> None:
    made, _ = begun(admin, agent, aside)
    plane.clock.advance(timedelta(seconds=12))
    agent.finish()
    assert made.result(20).json()["code"] == 200
    assert bell(admin, plane) == ["Save a sync link, asked by admin, is done after 12 s"]
    assert bell(admin, plane, "zh") == ["admin 的操作“保存同步链路”已完成，用时 12 秒"]
    add_user(plane, "south", "administrator", "south")
    assert bell(Caller(plane, plane.sign_in("south")), plane) == []


def test_the_bell_shows_the_number_of_tables(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    node = new_node(admin)
    headers = {"ZCBUS-TOKEN": admin.token, "zcbus-progress": CHOICE["key"]}
    listed = agent.handlers["list-tables"]

    def slowly(request: Any) -> Any:
        plane.clock.advance(timedelta(seconds=20))
        return listed(request)

    for slow in (False, True):
        agent.handlers["list-tables"] = slowly if slow else listed
        tables = [LINES if slow else ORDERS, {"schema": "public", "table": "nothing"}]
        body = {"nodeMaster": node, "tables": tables}
        answer = plane.client.post("/api/zcbus/publish/table/add", json=body, headers=headers).json()
        assert [one["done"] for one in answer["data"]] == [True, False]
        # A short call is watched by its caller.
        assert len(bell(admin, plane)) == (1 if slow else 0)
        plane.clock.advance(timedelta(minutes=2))
    message = "Add tables to publish, asked by admin, is done after 20 s: 1 done, 1 not"
    assert bell(admin, plane) == [message]


def test_the_bell_does_not_show_cancelled_calls(
    admin: Caller, agent: FakeAgent, aside: Aside, plane: ControlPlane
) -> None:
    made, _ = begun(admin, agent, aside)
    plane.clock.advance(timedelta(seconds=12))
    admin.call("common/progress/cancel", CHOICE)
    assert made.result(20).json()["data"]["error"] == "call-cancelled"
    assert bell(admin, plane) == []


def test_the_bell_shows_failed_calls(
    admin: Caller, agent: FakeAgent, aside: Aside, plane: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_SECONDS", 1)
    made, _ = begun(admin, agent, aside)
    plane.clock.advance(timedelta(seconds=12))
    assert made.result(20).json()["data"]["error"] == "agent-silent"
    assert bell(admin, plane) == ["Save a sync link, asked by admin, failed after 12 s"]
