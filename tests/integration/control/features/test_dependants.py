"""What depends on an object is said before it is deleted, by name where the caller may see it, of one tenant only."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_plan_jobs import HOURLY
from tests.integration.control.features.test_publish import ORDERS, added, new_node
from tests.integration.control.features.test_stream import listening, made, shown
from tests.integration.control.features.test_subscribe import new_customer, new_master, subscribe
from tests.integration.control.platform.test_session import add_user
from zcbus.control.features.dependants.deletions import DELETIONS
from zcbus.control.store.tables.identity import user

pytestmark = pytest.mark.every_store


def asked(caller: Caller, deleting: str, identifier: str) -> dict[tuple[str, bool], tuple[list[str], int]]:
    """Names and number of dependants, by kind and whether they prevent the deletion."""
    groups = caller.call("resource/dependants", {"deleting": deleting, "id": identifier})
    return {
        (group["kind"], group["prevents"]): ([hit["name"] for hit in group["hits"]], group["total"]) for group in groups
    }


def with_rights(admin: Caller, user: str, **operations: list[str]) -> Caller:
    permissions = [{"menuKey": key.replace("_", "-"), "operations": value} for key, value in operations.items()]
    admin.call("account/role/add", {"code": user, "nameZh": user, "nameEn": user, "permissions": permissions})
    add_user(admin.plane, user, user)
    return Caller(admin.plane, admin.plane.sign_in(user))


def plan(admin: Caller, name: str, job: dict[str, Any]) -> str:
    identifier: str = admin.call("task/plan/add", {"name": name, **HOURLY, "job": job})["id"]
    return identifier


def test_dependants_of_a_link_are_named_to_who_may_see_them_and_counted_for_others(
    agent: FakeAgent, admin: Caller
) -> None:
    link = admin.call("sync/link/apply", {"document": document()})["id"]
    assert asked(admin, "sync/link/delete", link) == {}
    plan(admin, "nightly", {"type": "reload", "link": link})
    assert asked(admin, "sync/link/delete", link) == {("plan", False): (["nightly"], 1)}
    deleter = with_rights(admin, "deleter", sync_link=["view", "delete"])
    assert asked(deleter, "sync/link/delete", link) == {("plan", False): ([], 1)}
    viewer = with_rights(admin, "viewer", sync_link=["view"], task=["delete"])
    refused = viewer.refused("resource/dependants", {"deleting": "sync/link/delete", "id": link})
    assert refused["data"]["error"] == "forbidden"
    foreign = administrator_of(admin.plane, "north")
    assert asked(foreign, "sync/link/delete", link) == {}


def test_dependants_of_nodes_and_subscribers_lead_to_their_pages(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    tables = added(admin, node, ORDERS)
    customer = new_customer(admin)
    master = new_master(admin, customer, node)
    subscribe(admin, master, list(tables.values()))
    assert asked(admin, "publish/node/delete", node) == {("customer", True): (["branch"], 1)}
    [group] = admin.call("resource/dependants", {"deleting": "publish/node/delete", "id": node})
    assert (group["hits"][0]["id"], group["hits"][0]["details"]) == (customer[0], {"type": "client"})
    for deleting, identifier in (
        ("subscribe/customer/delete", customer[0]),
        ("subscribe/database/delete", customer[1]),
    ):
        dependants = asked(admin, deleting, identifier)
        assert {kind: total for kind, (_, total) in dependants.items()} == {
            ("master", True): 1,
            ("subscribed-table", True): 1,
        }
    assert [kind for kind, _ in asked(admin, "subscribe/control/delete", master)] == ["subscribed-table"]


def test_an_empty_master_is_named_as_it_prevents_the_deletion_of_its_customer(agent: FakeAgent, admin: Caller) -> None:
    customer = new_customer(admin)
    master = new_master(admin, customer, new_node(admin))
    [group] = admin.call("resource/dependants", {"deleting": "subscribe/customer/delete", "id": customer[0]})
    assert (group["kind"], group["prevents"], group["total"]) == ("master", True, 1)
    assert (group["hits"][0]["id"], group["hits"][0]["details"]) == (
        master,
        {"type": "client", "customer": customer[0]},
    )


def test_sub_departments_and_users_prevent_the_deletion_of_a_department(admin: Caller) -> None:
    north = admin.call("account/dept/add", {"name": "north"})["id"]
    admin.call("account/dept/add", {"name": "branch", "parentId": north})
    add_user(admin.plane, "li")
    with admin.plane.services.database.write() as store:
        store.execute(user.update().where(user.c.user_name == "li").values(dept_id=north))
    assert asked(admin, "account/dept/delete", north) == {
        ("department", True): (["branch"], 1),
        ("user", True): (["li"], 1),
    }
    assert admin.refused("account/dept/delete", {"id": north})["data"]["error"] == "department-in-use"


def test_computations_prevent_the_deletion_of_who_receives_their_results(agent: FakeAgent, admin: Caller) -> None:
    assert listening(agent)
    values, _ = made(admin)
    customer = shown(admin)["customerId"]
    for deleting, identifier in (
        ("subscribe/customer/delete", customer),
        ("subscribe/database/delete", values["databaseId"]),
    ):
        assert asked(admin, deleting, identifier) == {("computation", True): (["totals"], 1)}


@pytest.mark.parametrize("deleting", sorted(DELETIONS))
def test_nothing_depends_on_an_unknown_object(admin: Caller, deleting: str) -> None:
    """Every question is one that the store can answer."""
    assert asked(admin, deleting, "x" * 32) == {}
