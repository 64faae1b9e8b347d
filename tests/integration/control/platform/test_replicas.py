"""Several control planes over one PostgreSQL store."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tests.integration.control.features.conftest import document
from tests.integration.control.features.fake_agent import fake_agent
from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from tests.support.live_feed import live_feed
from tests.support.notice_receivers import web_receiver
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.captcha import pictures as captcha
from zcbus.control.features.captcha import slide
from zcbus.control.features.notification.dispatch import deliver
from zcbus.control.features.task_plan.runner import tick
from zcbus.control.key_check import KeyFileForeignError
from zcbus.control.store import event_relay
from zcbus.model.states import ServiceState

pytestmark = pytest.mark.server


@pytest.fixture
def shared_store(postgres_server: PostgreSQLServer) -> Iterator[str]:
    server, name = postgres_server, postgres_server.fresh_database("replicas")
    yield f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
    server.drop_database(name)


@pytest.fixture
def replicas(shared_store: str, tmp_path: Path) -> Iterator[tuple[ControlPlane, ControlPlane]]:
    with control_plane(tmp_path / "one", shared_store, login_captcha="on") as one:
        copy_keys(one, tmp_path / "two")
        with control_plane(tmp_path / "two", shared_store, login_captcha="on") as two:
            yield one, two


def copy_keys(plane: ControlPlane, folder: Path) -> None:
    (folder / "var").mkdir(parents=True)
    shutil.copy(plane.data_dir / "keys", folder / "var" / "keys")


def test_captchas_and_sessions_are_good_at_every_replica(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    captcha.store_answer(one.services, "picture", "4711")
    slide.store_position(two.services, "puzzle", 99)
    ticket = one.post("sys/authentication/slide/check", {"uuid": "puzzle", "x": 99}).json()["data"]
    body = {"userName": "admin", "password": ADMIN_PASSWORD, "code": "4711", "uuid": "picture", "ticket": ticket}
    token = two.post("sys/authentication/login", body).json()["data"]["token"]
    assert one.get("auth/info", token).json()["code"] == 200
    one.post("sys/authentication/logout", {"token": token})
    assert two.get("auth/info", token).json()["code"] == 40102


def test_failed_attempts_count_together(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    answers = []
    for number in range(6):
        plane = replicas[number % 2]
        captcha.store_answer(plane.services, f"picture-{number}", "4711")
        slide.store_position(plane.services, f"puzzle-{number}", 99)
        ticket = slide.solve(plane.services, f"puzzle-{number}", 99)
        body = {"userName": "admin", "password": "wrong", "code": "4711", "uuid": f"picture-{number}", "ticket": ticket}
        answers.append(plane.post("sys/authentication/login", body).status_code)
    assert answers == [200] * 5 + [429]


def test_secrets_and_body_keys_are_the_same_at_every_replica(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    assert two.services.secrets.open(one.services.secrets.seal("secret", "x"), "x") == "secret"
    assert one.get("sys/authentication/key").json() == two.get("sys/authentication/key").json()


def test_a_replica_with_another_key_file_does_not_start(shared_store: str, tmp_path: Path) -> None:
    with control_plane(tmp_path / "one", shared_store):
        pass
    with pytest.raises(KeyFileForeignError, match="not the key file"), control_plane(tmp_path / "two", shared_store):
        pass


def test_a_due_plan_is_run_once_and_continues_on_any_replica(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    with fake_agent(one) as agent:
        token = one.local_token()
        call = partial(_answer, one, token)
        link = call("sync/link/apply", {"document": document()})["id"]
        agent.rest()
        agent.run_services()
        due = {"trigger": "cron", "cron": "* * * * *", "timeZone": "UTC", "overlap": "queue"}
        call("task/plan/add", {"name": "p", **due, "job": {"type": "stop", "link": link}})
        for plane in replicas:
            plane.clock.advance(timedelta(minutes=1))
        with ThreadPoolExecutor(8) as pool:
            for future in [pool.submit(tick, plane.services) for plane in replicas * 8]:
                future.result()
        (run,) = call("task/run/page", {})["records"]
        assert (run["state"], run["attempt"]) == ("running", 1)
        made = [
            record["action"] for record in call("monitor/operation-log/page", {"search": "task-plan_run"})["records"]
        ]
        assert made == ["task-plan_run"]
        agent.run_services()
        # The replica that began it does not check any more.
        two.clock.advance(timedelta(seconds=40))
        tick(two.services)
        details = call("task/run/get", {"id": run["id"]})
        assert (details["state"], details["attempt"]) == ("succeeded", 1)
        assert "plan-unwatched" in [line["code"] for line in details["log"]]


@pytest.mark.wide
def test_a_notice_is_sent_once_whichever_replica_delivers_it(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one = replicas[0]
    call = partial(_answer, one, one.local_token())
    with web_receiver() as hook, fake_agent(one) as agent:
        given = {"name": "h", "way": "webhook", "secret": "s", "url": hook.url(), "minLevel": 0}
        call("sys/notice/receiver/add", given)
        call("sync/link/apply", {"document": document()})
        agent.rest()
        agent.run_services(ServiceState.ABNORMAL)
        with ThreadPoolExecutor(8) as pool:
            for work in (evaluate, deliver):
                for future in [pool.submit(work, plane.services) for plane in replicas * 4]:
                    future.result()
        made = call("sys/notice/delivery/page", {"size": -1})["records"]
        while any(record["state"] in ("waiting", "sending") for record in made):
            deliver(one.services)
            made = call("sys/notice/delivery/page", {"size": -1})["records"]
    assert {record["state"] for record in made} == {"sent"}
    assert sorted(record["id"] for record in made) == sorted(taken.json["id"] for taken in hook.taken)


def _answer(plane: ControlPlane, token: str, path: str, body: object) -> Any:
    answer = plane.post(path, body, token).json()
    assert answer["code"] == 200, answer
    return answer["data"]


def test_what_one_replica_changes_is_sent_by_the_other(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    with live_feed(two, two.local_token()) as feed:
        answer = one.post("account/dept/add", {"name": "new"}, one.local_token()).json()
        assert answer["code"] == 200, answer
        assert feed.await_topic("call") == {"call"}


def test_pages_learn_that_events_of_other_replicas_are_missed(
    replicas: tuple[ControlPlane, ControlPlane], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_relay, "_RETRY_SECONDS", 0.1)
    one, two = replicas
    with live_feed(two, two.local_token()) as feed:
        with one.services.database.write() as connection:
            listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
            connection.execute(text(listening))
        assert feed.next() == {"live": False}
        assert feed.next() == {"live": True}
        one.post("account/dept/add", {"name": "new"}, one.local_token())
        assert feed.await_topic("call") == {"call"}
