"""The timeline of a link: what users, agents and the platform did, as one list by page."""

import socket
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import pytest
from sqlalchemy import update

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.alert import repository as alerts
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.store import deployments as deployment_history
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.states import SyncState


def link_of(admin: Caller) -> dict[str, Any]:
    found: dict[str, Any] = admin.call("sync/link/get", {"name": "shop"})
    return found


def timeline(admin: Caller, subject: str, kind: str = "link", **asked: Any) -> dict[str, Any]:
    found: dict[str, Any] = admin.call("timeline/page", {"kind": kind, "id": subject, "size": 100, **asked})
    return found


def entries(admin: Caller, subject: str, kind: str = "link", **asked: Any) -> list[tuple[str, str, str, str | None]]:
    records = timeline(admin, subject, kind, **asked)["records"]
    assert [one["at"] for one in records] == sorted((one["at"] for one in records), reverse=True)
    return [(one["kind"], one["title"], one["outcome"], one["who"]) for one in records]


def raise_alert(plane: ControlPlane, link: dict[str, Any]) -> None:
    now = plane.clock.now()
    with plane.services.database.write() as store:
        tenant = store.exec_driver_sql("SELECT tenant_id FROM sync_link").scalar_one()
        alerts.insert(
            store,
            [
                {
                    "tenant_id": tenant,
                    "customer_id": tenant,
                    "customer_name": "shop",
                    "kind": Kind.LAG,
                    "subject": link["id"],
                    "level": 1,
                    "facts": {"link": "shop", "owner": "link", "limit": "60", "lag": "75", "seconds": "75"},
                    "mark": "",
                    "link_id": link["id"],
                    "record_time": now - timedelta(minutes=3),
                    "update_time": now,
                    "recovered_time": now - timedelta(minutes=1),
                }
            ],
        )


@pytest.mark.wide
def test_acts_alerts_processes_loads_and_schema_changes_are_one_list(admin: Caller, running: FakeAgent) -> None:
    clock, link = running.plane.clock, link_of(admin)
    running.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10)
    clock.advance(timedelta(minutes=5))
    changed: dict[str, Any] = {"ddl_seen": 2, "ddl_followed": 1, "last_ddl_at": clock.now()}
    running.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, **changed)
    running.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, **changed)
    raise_alert(running.plane, link)
    clock.advance(timedelta(seconds=1))
    admin.call("sync/link/pause", {"id": link["id"]})
    found = entries(admin, link["id"])
    assert found[0] == ("act", "Pause link", "Done", "admin")
    kinds = [kind for kind, *_ in found]
    # Two tables: each was loaded once, and had one change that was followed and one that stopped it.
    assert kinds.count("schema") == 4
    assert kinds.count("load") == 2
    assert kinds.count("process") >= 2
    # Services of a link have its name: an entry says which of them it was.
    started = {title for kind, title, *_ in found if kind == "process"}
    assert {"Process started: Publish", "Process started: Subscribe"} <= started
    assert kinds.index("recovery") < kinds.index("alert")
    assert ("act", "Create or change link", "Done", "admin") in found
    assert {outcome for kind, _, outcome, _ in found if kind == "schema"} == {
        "Applied to the target",
        "The table stopped",
    }
    assert {outcome for kind, _, outcome, _ in found if kind in ("alert", "recovery")} == {"Over"}
    assert entries(admin, link_of(admin)["taskId"], "task") == found

    # By kind, text and time, page by page.
    assert {kind for kind, *_ in entries(admin, link["id"], kinds=["load", "schema"])} == {"load", "schema"}
    assert entries(admin, link["id"], search="pause LINK") == [found[0]]
    assert entries(admin, link["id"], search="暂停链路") == [found[0]]
    assert entries(admin, link["id"], search="admin", kinds=["act"])[0] == found[0]
    assert entries(admin, link["id"], since=clock.now().isoformat()) == [found[0]]
    pages = [timeline(admin, link["id"], size=3, current=number) for number in range(1, 1 + -(-len(found) // 3))]
    assert {page["total"] for page in pages} == {len(found)}
    whole = [(one["kind"], one["id"], one["at"]) for page in pages for one in page["records"]]
    assert len(set(whole)) == len(found)


def test_another_version_of_an_agent_or_a_control_plane_is_a_deployment(admin: Caller, running: FakeAgent) -> None:
    def deployments(subject: str, kind: str) -> list[tuple[str, str, str]]:
        records = timeline(admin, subject, kind, kinds=["deployment"])["records"]
        # The test's store was made by a control plane of another folder, which is recorded as well.
        return list(dict.fromkeys((one["subject"], one["title"], one["outcome"]) for one in records))

    own = [(socket.gethostname(), f"Control plane deployed: version {version('zcbus')}", "")]
    first = ("here", "Agent deployed: version 0", "")
    link = link_of(admin)["id"]
    assert sorted(deployments(link, "link")) == sorted([first, *own])
    running.register()
    assert len(deployments(link, "link")) == 2
    running.plane.clock.advance(timedelta(hours=1))
    running.version = "0.9"
    running.register()
    assert deployments(link, "link")[0] == ("here", "Agent deployed: version 0.9", "0 before")
    assert deployments(running.name, "host") == deployments(link, "link")
    assert timeline(admin, link, search="0.9")["total"] == 1
    # What retention removes is what a newer one followed.
    with running.plane.services.database.write() as store:
        deployment_history.remove_older(store, running.plane.clock.now())
    assert sorted(deployments(link, "link")) == sorted([("here", "Agent deployed: version 0.9", "0 before"), *own])


@pytest.mark.wide
def test_a_timeline_is_for_those_who_may_view_the_thing(admin: Caller, running: FakeAgent) -> None:
    other, link = administrator_of(running.plane, "other"), link_of(admin)
    assert other.refused("timeline/page", {"kind": "link", "id": link["id"]})["code"] == 404
    assert other.refused("timeline/page", {"kind": "host", "id": running.name})["code"] == 40103
    with running.plane.services.database.read() as connection:
        ids = {
            kind: connection.exec_driver_sql(f"SELECT id FROM {table} ORDER BY id").scalars().first()
            for kind, table in (
                ("channel", "channel"),
                ("customer", "customer"),
                ("table", "subscribed_table"),
                ("published-table", "published_table"),
                ("node", "publish_node"),
                ("service", "service"),
                ("container", "container"),
            )
        }
    for kind, subject in {**ids, "host": running.name}.items():
        found = timeline(admin, str(subject), kind)["records"]
        assert found or kind in ("published-table", "container"), kind
        if "table" in kind:
            assert {one["kind"] for one in found} <= {"load", "schema", "alert", "recovery", "deployment"}


def test_a_link_has_no_acts_of_an_earlier_one_of_its_name(admin: Caller, running: FakeAgent) -> None:
    link = link_of(admin)
    running.plane.clock.advance(timedelta(hours=1))
    with running.plane.services.database.write() as store:
        store.execute(update(sync_link).values(created_at=running.plane.clock.now()))
    assert entries(admin, link["id"], kinds=["act"]) == []
