"""Each kind of deleted object: what comes back from the recycle bin, and what does not."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import first_sign_in, form
from tests.integration.control.features.test_data_service import new_api, new_group, new_service
from tests.integration.control.features.test_publish import LINES, ORDERS, added, info, new_node, tables
from tests.integration.control.features.test_recycle_bin import BIN, page
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, subscribe, tasks
from tests.integration.control.features.test_task_plans import history, later, plan
from tests.integration.control.platform.test_session import add_user
from zcbus.control.features.recycle_bin.service import purge_expired
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.protocol.requests import DropSource
from zcbus.protocol.tasks import PublishTask, SubscribeTask

pytestmark = pytest.mark.every_store


def only(admin: Caller, kind: str) -> dict[str, str]:
    [recycled] = page(admin, kind=kind)
    return {"id": recycled["id"]}


def granted_user(admin: Caller, name: str, operations: list[str]) -> str:
    """A user with these rights on links, who may open the bin; returns the name."""
    permissions = [
        {"menuKey": BIN, "operations": ["view", "edit"]},
        {"menuKey": "sync-link", "operations": operations},
    ]
    admin.call("account/role/add", {"code": name, "nameZh": name, "nameEn": name, "permissions": permissions})
    add_user(admin.plane, name, name, "default")
    return name


def restore(admin: Caller, kind: str) -> None:
    admin.call(f"{BIN}/restore", only(admin, kind))


def preview(admin: Caller, kind: str) -> dict[str, Any]:
    shown: dict[str, Any] = admin.call(f"{BIN}/preview", only(admin, kind))
    return shown


@pytest.mark.wide
def test_node_subscriber_and_master_come_back_one_after_the_other(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin, retentionHours=24)
    ids = added(admin, node, ORDERS, LINES)
    policy = admin.call("policy/define/add", {"productName": "retail", "nodeMaster": node})["id"]
    customer = new_customer(admin)
    master = new_master(admin, customer, node, channelCount=2, schema="copy", threads=3)
    subscribe(admin, master, list(ids.values()))
    before, secret = sheet(admin), agent.order(PublishTask).task
    admin.call("subscribe/control/delete", {"controlId": master})
    admin.call("subscribe/customer/delete", {"customerId": customer[0]})
    admin.call("publish/node/delete", {"nodeMaster": node})

    # What it belongs to comes first.
    assert preview(admin, "master")["blocking"] == ["database", "publish-node", "subscriber"]
    refused = admin.refused(f"{BIN}/restore", only(admin, "master"))
    assert refused["data"]["error"] == "recycled-parent-gone"
    assert "publish node" in refused["message"]
    restore(admin, "subscriber")
    restore(admin, "publish-node")
    assert preview(admin, "master") == {"nameTaken": False, "missing": [], "blocking": []}
    restore(admin, "master")
    assert page(admin) == []

    # With its own settings, tables and password, but stopped, and nothing of what it had left in the source.
    [node_record] = admin.call("publish/buspushstatustb/page", {})["records"]
    again = node_record["id"]
    assert (again != node, info(admin, again)["state"]) == (True, "stopped")
    assert {row["table"] for row in tables(admin, again)} == {"orders", "lines"}
    [policy_record] = admin.call("policy/define/page", {})["records"]
    assert (policy_record["id"], policy_record["nodeMaster"]) == (policy, again)
    kept = ("sourceTable", "targetSchema", "targetTable", "loadMode", "channelName")
    assert [{name: row.get(name) for name in kept} for row in sheet(admin)] == [
        {name: row.get(name) for name in kept} for row in before
    ]
    channels = admin.call("subscribe/channel/page", {"controlId": master})["records"]
    assert {(one["state"], one["threads"]) for one in channels} == {("not-enabled", 3)}
    admin.call("publish/node/start", {"nodeMaster": again})
    for one in channels:
        admin.call("subscribe/channel/start", {"channelId": one["id"]})
    order = agent.order(PublishTask)
    assert isinstance(order.task, PublishTask)
    assert isinstance(secret, PublishTask)
    assert (order.desired, order.task.source) == ("running", secret.source)
    assert {table.generation for table in order.task.tables} == {1}
    assert {table.generation for task in tasks(agent) for table in task.tables} == {1}
    assert {table.id for task in tasks(agent) for table in task.tables}.isdisjoint(row["id"] for row in before)


def test_a_link_comes_back_stopped_and_begins_as_a_new_one(running: FakeAgent, admin: Caller) -> None:
    [before] = admin.call("sync/link/page", {})["records"]
    detail = admin.call("sync/link/get", {"name": "shop"})
    orders = (running.order(PublishTask).task, running.order(SubscribeTask).task)
    admin.call("sync/link/delete", {"name": "shop"})
    restore(admin, "sync-link")
    [after] = admin.call("sync/link/page", {})["records"]
    assert (after["id"], after["name"], after["state"]) == (before["id"], "shop", "stopped")
    again = admin.call("sync/link/get", {"name": "shop"})
    assert again["document"] == detail["document"]
    assert again["tables"]["total"] == detail["tables"]["total"] == 2
    admin.call("sync/link/start", {"name": "shop"})
    published, subscribed = running.order(PublishTask), running.order(SubscribeTask)
    assert (published.desired, subscribed.desired) == ("running", "running")
    old_source, old_target = orders
    assert isinstance(published.task, PublishTask)
    assert isinstance(subscribed.task, SubscribeTask)
    assert isinstance(old_source, PublishTask)
    assert isinstance(old_target, SubscribeTask)
    assert (published.task.source, subscribed.task.target) == (old_source.source, old_target.target)
    assert published.task.node != old_source.node
    assert {table.generation for table in published.task.tables} == {1}
    assert {table.source.table for table in subscribed.task.tables} == {t.source.table for t in old_target.tables}


def test_a_link_is_made_and_restored_with_the_right_to_create_links(agent: FakeAgent, admin: Caller) -> None:
    editor, maker = (
        Caller(admin.plane, admin.plane.sign_in(granted_user(admin, name, operations)))
        for name, operations in (("editor", ["view", "edit"]), ("maker", ["view", "create"]))
    )
    # Changing links is not enough for making one, nor the other way round.
    assert editor.refused("sync/link/apply", {"document": document()})["data"]["error"] == "forbidden"
    assert maker.call("sync/link/apply", {"document": document(), "start": False})["created"]
    assert maker.refused("sync/link/apply", {"document": document()})["data"]["error"] == "forbidden"
    assert not editor.call("sync/link/apply", {"document": document(), "start": False})["created"]
    admin.call("sync/link/delete", {"name": "shop"})
    assert editor.refused(f"{BIN}/restore", only(admin, "sync-link"))["data"]["error"] == "forbidden"
    restore(maker, "sync-link")
    assert [one["name"] for one in maker.call("sync/link/page", {})["records"]] == ["shop"]


def test_a_user_comes_back_disabled_without_password_and_never_above_the_caller(admin: Caller) -> None:
    plane = admin.plane
    user = admin.call("account/user/upsert", form("lena", roleCode="engineer"))["userId"]
    lena = first_sign_in(plane, "lena")
    admin.call("account/user/delete", {"userId": user})
    assert plane.post("account/user/query/userInfo/by/userId", {"userId": user}, lena.token).status_code == 401
    with plane.services.database.read() as store:
        kept = store.execute(select(recycled_object.c.content)).scalar_one()
    assert set(kept) == {"user_account", "user_role", "user_setting"}
    assert not {"password_hash", "status"} & set(kept["user_account"][0])
    permissions = [
        {"menuKey": BIN, "operations": ["view", "edit"]},
        {"menuKey": "authority-management/user-management", "operations": ["view", "create"]},
    ]
    admin.call("account/role/add", {"code": "keeper", "nameZh": "管", "nameEn": "K", "permissions": permissions})
    add_user(plane, "kim", "keeper")
    kim = Caller(plane, plane.sign_in("kim"))
    assert kim.refused(f"{BIN}/restore", only(kim, "user"))["data"]["error"] == "recycled-user-above"
    restore(admin, "user")
    record = admin.call("account/user/query/userInfo/by/userId", {"userId": user})
    assert (record["userName"], record["status"], record["roleCodes"]) == ("lena", "1", ["engineer"])
    signing = plane.post("sys/authentication/login", {"userName": "lena", "password": "Chosen.1234"}).json()
    assert signing["code"] != 200
    admin.call("account/user/password/reset", {"userId": user, "password": "Fresh12345"})
    admin.call("account/user/upsert", {"userId": user, "status": "0"})
    first_sign_in(plane, "lena", "Fresh12345")


def test_a_link_restored_at_once_keeps_its_json_topic(running: FakeAgent, admin: Caller) -> None:
    with admin.plane.services.database.write() as store:
        store.execute(update(publish_node).values(json_topic="shop.json"))
    admin.call("sync/link/delete", {"name": "shop"})
    restore(admin, "sync-link")
    running.sync()
    [dropped] = [put.request for put in running.asked if isinstance(put.request, DropSource)]
    assert dropped.json_topic == ""
    # Without a new owner the topic is removed.
    admin.call("sync/link/delete", {"name": "shop"})
    running.sync()
    jobs = [put.request for put in running.asked if isinstance(put.request, DropSource)]
    assert [job.json_topic for job in jobs if job.node != dropped.node] == ["shop.json"]


def test_the_name_of_a_deleted_master_may_be_taken(agent: FakeAgent, admin: Caller) -> None:
    node, customer = new_node(admin), new_customer(admin)
    admin.call("subscribe/control/delete", {"controlId": new_master(admin, customer, node)})
    taken = new_master(admin, customer, node)
    assert preview(admin, "master")["nameTaken"]
    assert admin.refused(f"{BIN}/restore", only(admin, "master"))["data"]["error"] == "recycled-name-taken"
    assert [one["name"] for one in page(admin, kind="master")] == ["m"]
    assert taken


def test_a_restored_plan_runs_again(running: FakeAgent, admin: Caller) -> None:
    plane = admin.plane
    made = plan(admin, "stop")
    admin.call("task/plan/delete", {"id": made})
    later(plane, hours=2)
    restore(admin, "task-plan")
    # It is paused, and its history is gone.
    assert admin.call("task/plan/get", {"id": made})["state"] == "paused"
    later(plane, hours=1)
    assert history(admin) == []
    admin.call("task/plan/resume", {"id": made})
    later(plane, hours=1)
    running.run_services()
    later(plane, seconds=3)
    assert history(admin, plan=made) == [("16:00", "succeeded")]


def test_any_kind_is_deleted_for_good_on_request_and_when_it_expires(running: FakeAgent, admin: Caller) -> None:
    for name in ("first", "second"):
        admin.call("task/plan/delete", {"id": plan(admin, "stop", name=name)})
        admin.plane.clock.advance(timedelta(seconds=1))
    second, first = page(admin, kind="task-plan")
    admin.call(f"{BIN}/delete", {"id": first["id"]})
    assert admin.refused(f"{BIN}/restore", {"id": first["id"]})["code"] == 404
    days = datetime.fromisoformat(second["expiresAt"]) - admin.plane.clock.now()
    admin.plane.clock.advance(days - timedelta(seconds=1))
    purge_expired(admin.plane.services)
    again = Caller(admin.plane, admin.plane.sign_in())
    assert [one["name"] for one in page(again)] == ["second"]
    admin.plane.clock.advance(timedelta(seconds=2))
    purge_expired(admin.plane.services)
    assert page(again) == []


def test_a_data_service_its_group_and_api_with_its_grants_and_a_plan(agent: FakeAgent, admin: Caller) -> None:
    service = new_service(admin)
    group = new_group(admin, service)
    api = new_api(admin, group)
    app = admin.call("data-service/app/add", {"name": "web", "apis": [api]})["id"]
    admin.call("data-service/api/publish", {"id": api})
    admin.call("data-service/api/offline", {"id": api})
    versions = admin.call("data-service/api/version/list", {"id": api})
    admin.call("data-service/api/delete", {"id": api})
    admin.call("data-service/group/delete", {"id": group})
    admin.call("data-service/service/operate", {"id": service, "action": "stop"})
    agent.run_services()
    admin.call("data-service/service/delete", {"id": service})
    assert preview(admin, "api")["blocking"] == ["api-group"]
    for kind in ("data-service", "api-group", "api"):
        restore(admin, kind)
    assert admin.call("data-service/api/version/list", {"id": api}) == versions
    [granted] = admin.call("data-service/app/page", {})["records"]
    assert (granted["id"], granted["apis"]) == (app, [api])
    admin.call("data-service/api/publish", {"id": api})
