"""The search in logs: whose are searched, what hosts find put together, and hosts that do not answer."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.agent.log_search import find_lines
from zcbus.agent.logs import log_path
from zcbus.engine.requests.watch import Watch
from zcbus.kit.log_file import RotatingLog
from zcbus.protocol.agent import RequestProgress
from zcbus.protocol.requests import AGENT_LOG
from zcbus.protocol.tasks import PublishTask, SubscribeTask

FIND, AROUND, SOURCES = (f"monitor/log-search/{verb}" for verb in ("find", "around", "source/page"))


@pytest.fixture
def logs(admin: Caller, agent: FakeAgent, plane: ControlPlane, tmp_path: Path) -> dict[str, str]:
    """Logs of a link's two services and of their agent, which searches them as a real one does; the ids."""
    link = admin.call("sync/link/apply", {"document": document()})["id"]
    agent.handlers["find-log-lines"] = lambda asked: find_lines(tmp_path, asked, Watch())
    publish, subscribe = agent.order(PublishTask).service, agent.order(SubscribeTask).service
    begin = plane.clock.now() - timedelta(minutes=5)
    write(tmp_path, publish, begin, [("captured", "info", {}), ("lost", "warning", {"table": "public.orders"})])
    refused = {"table": "public.orders", "reason": "row-refused"}
    write(tmp_path, subscribe, begin, [("applied", "debug", {}), ("table failed", "error", refused)])
    write(tmp_path, AGENT_LOG, begin, [("agent started", "info", {})])
    return {"link": link, "publish": publish, "subscribe": subscribe}


def write(data_dir: Path, log: str, begin: datetime, lines: list[tuple[str, str, dict[str, str]]]) -> None:
    file = RotatingLog(log_path(data_dir, log), most_bytes=1 << 30, rotated_files=1)
    for second, (event, level, facts) in enumerate(lines):
        at = (begin + timedelta(seconds=second)).isoformat()
        file.write(json.dumps({**facts, "event": event, "level": level, "timestamp": at}).encode() + b"\n")
    file.close()


def events(found: dict[str, Any]) -> list[str]:
    return [json.loads(entry["text"])["event"] for entry in found["entries"]]


def test_all_logs_are_searched_together_and_counted(logs: dict[str, str], admin: Caller) -> None:
    found = admin.call(FIND, {"last": 900})
    assert sorted(events(found)) == ["agent started", "applied", "captured", "lost", "table failed"]
    times = [entry["atUs"] for entry in found["entries"]]
    assert times == sorted(times)
    assert (found["more"], found["unreadUntil"], found["silent"]) == (False, None, [])
    levels = ("error", "warning", "info", "debug", "unknown")
    assert [sum(count[level] for count in found["counts"]) for level in levels] == [1, 1, 2, 1, 0]
    assert all(count["at"] % found["step"] == 0 for count in found["counts"])
    newest = admin.call(FIND, {"last": 900, "limit": 2})
    assert (sorted(events(newest)), newest["more"]) == (["lost", "table failed"], True)
    assert events(admin.call(FIND, {"last": 900, "level": "error"})) == ["table failed"]
    assert sorted(events(admin.call(FIND, {"last": 900, "table": "orders"}))) == ["lost", "table failed"]
    assert events(admin.call(FIND, {"last": 900, "code": "row-refused"})) == ["table failed"]
    assert events(admin.call(FIND, {"last": 900, "text": "CAPT"})) == ["captured"]
    assert events(admin.call(FIND, {"last": 60})) == []


def test_a_link_has_its_services_logs_and_hosts_belong_to_those_who_operate_them(
    logs: dict[str, str], admin: Caller, plane: ControlPlane, agent: FakeAgent
) -> None:
    own = {entry["source"] for entry in admin.call(FIND, {"last": 900, "linkId": logs["link"]})["entries"]}
    assert own == {logs["publish"], logs["subscribe"]}
    one = admin.call(FIND, {"last": 900, "source": logs["publish"]})
    assert [entry["sourceName"] for entry in one["entries"]] == ["shop (publish)"] * 2
    assert [source["kind"] for source in admin.call(SOURCES, {"sort": "kind", "order": "asc"})["records"]] == [
        "agent",
        "service",
        "service",
    ]
    [found] = admin.call(SOURCES, {"search": "SUBSC"})["records"]
    assert found["id"] == logs["subscribe"]
    stranger = administrator_of(plane, "elsewhere")
    assert stranger.call(FIND, {"last": 900})["entries"] == []
    for scope in ({"linkId": logs["link"]}, {"source": logs["publish"]}):
        assert stranger.refused(FIND, {"last": 900, **scope})["code"] == 404
    moment = {"hostId": agent.name, "atUs": one["entries"][0]["atUs"]}
    service = {**moment, "kind": "service", "source": logs["publish"]}
    assert stranger.refused(AROUND, service)["code"] == 404
    host = {**moment, "kind": "agent", "source": agent.name}
    assert (stranger.refused(AROUND, host)["code"], len(admin.call(AROUND, host)["entries"])) == (40103, 1)
    assert admin.refused(AROUND, {**host, "source": "another"})["code"] == 404


def test_the_lines_around_an_error_are_those_of_its_log_whatever_they_say(
    logs: dict[str, str], admin: Caller, agent: FakeAgent
) -> None:
    [failed] = admin.call(FIND, {"last": 900, "level": "error"})["entries"]
    moment = {name: failed[name] for name in ("kind", "source", "hostId", "atUs")}
    assert events(admin.call(AROUND, moment)) == ["applied", "table failed"]
    first = admin.call(AROUND, {**moment, "atUs": failed["atUs"] - 1_000_000, "before": 1, "after": 1})
    assert (events(first), first["older"], first["newer"]) == (["applied", "table failed"], False, False)


def test_a_silent_host_is_listed_with_the_reason(logs: dict[str, str], admin: Caller, agent: FakeAgent) -> None:
    agent.rest()
    agent.plane.clock.advance(timedelta(minutes=2))
    found = admin.call(FIND, {"last": 900})
    assert (found["entries"], [host["host"] for host in found["silent"]]) == ([], ["here"])
    assert "default" in found["silent"][0]["reason"]


def test_a_search_ends_on_the_host_when_its_caller_leaves(
    logs: dict[str, str], admin: Caller, agent: FakeAgent
) -> None:
    agent.rest()
    agent.slow.add("find-log-lines")
    headers = {"ZCBUS-TOKEN": admin.token, "env": "en", "zcbus-progress": "search-of-a-page"}
    with ThreadPoolExecutor(1) as aside:
        address = f"/api/zcbus/{FIND}"
        search = aside.submit(admin.plane.client.post, address, json={"last": 900}, headers=headers)
        question = agent.await_question("find-log-lines")
        assert admin.call("common/progress/cancel", {"key": "search-of-a-page"})
        assert search.result(20).json()["data"]["error"] == "call-cancelled"
    assert agent.sync(progress=(RequestProgress(request=question, done=1, total=2),)).withdrawn == (question,)
