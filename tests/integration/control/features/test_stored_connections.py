"""Connections that are stored are tested without their passwords leaving the server."""

from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of, first_sign_in, form
from tests.integration.control.features.test_publish import SOURCE, new_node
from tests.integration.control.features.test_roles import role
from tests.integration.control.features.test_subscribe import BARE, TARGET, new_customer
from tests.support.control_plane import ControlPlane
from zcbus.model.states import LoadType

SOURCE_TEST = "dynamic/datasource/test-db-parameter"
TARGET_TEST = "dynamic/datasource/subscribe/test-db-parameter"
ALL_TEST = "dynamic/datasource/subscribe/current/test-db-parameter"


def checked(agent: FakeAgent) -> list[tuple[str, str, str]]:
    """Of every test that the agent was asked for: side, database, load type."""
    tests = [put.request for put in agent.asked if put.request.type == "test-connection"]
    return [(one.side, one.connection.options["database"], one.connection.load_type.value) for one in tests]


def of_node(node: str, **changes: Any) -> dict[str, Any]:
    return {"nodeMaster": node, **changes}


def test_a_node_and_a_database_are_tested_as_they_are_stored(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin, connection={**SOURCE, "password": "right"})
    _, database = new_customer(admin, loadType="J")
    assert admin.refused(SOURCE_TEST, {"nodeMaster": node})["code"] == 20200
    assert admin.refused(TARGET_TEST, {"databaseId": database})["code"] == 20200
    assert admin.refused(ALL_TEST, {"busClientDbParameterList": [{"databaseId": database}]})["code"] == 20200
    assert checked(agent) == [
        ("source", SOURCE["database"], LoadType.BULK),
        ("target", TARGET["database"], LoadType.STATEMENTS),
        ("target", TARGET["database"], LoadType.STATEMENTS),
    ]
    # As typed into the form: only the password is the stored one.
    typed = {**BARE, "databaseId": database, "database": "another", "loadType": "C"}
    assert admin.refused(TARGET_TEST, typed)["code"] == 20200
    assert checked(agent)[-1] == ("target", "another", LoadType.BULK)


def test_a_stored_password_is_sent_to_no_other_server(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin, connection={**SOURCE, "password": "right"})
    _, database = new_customer(admin)
    elsewhere = {key: SOURCE[key] for key in SOURCE if key != "password"} | {"host": "evil.example"}
    assert admin.refused(SOURCE_TEST, of_node(node, **elsewhere))["data"]["error"] == "password-needed"
    stolen = {**BARE, "databaseId": database, "host": "evil.example"}
    assert admin.refused(TARGET_TEST, stolen)["data"]["error"] == "password-needed"
    assert checked(agent) == []


def test_testing_a_stored_connection_takes_the_right_to_edit_it(
    plane: ControlPlane, agent: FakeAgent, admin: Caller
) -> None:
    node = new_node(admin)
    _, database = new_customer(admin)
    foreign = administrator_of(plane, "south")
    assert foreign.refused(SOURCE_TEST, {"nodeMaster": node})["code"] == 404
    assert foreign.refused(TARGET_TEST, {"databaseId": database})["code"] == 404
    permissions = [{"menuKey": "databus", "operations": ["view", "edit"]}]
    permissions.append({"menuKey": "sync-link", "operations": ["view", "edit"]})
    admin.call("account/role/add", role("bus", permissions=permissions))
    admin.call("account/user/upsert", form("driver", roleCode="bus"))
    driver = first_sign_in(plane, "driver")
    assert driver.refused(SOURCE_TEST, {"nodeMaster": node})["code"] == 40103
    assert driver.refused(TARGET_TEST, {"databaseId": database})["code"] == 40103
    assert checked(agent) == []


def test_a_database_says_how_its_masters_load(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    customer, database = new_customer(admin, loadType="J")
    master = {"customerId": customer, "nodeMaster": node, "databaseId": database}
    admin.call("subscribe/control/add", {**master, "name": "follows"})
    admin.call("subscribe/control/add", {**master, "name": "own", "loadType": "C"})
    asked = {"databaseId": database, "name": "branch", "connection": BARE, "loadType": "C"}
    assert admin.call("subscribe/database/edit", asked) == ["loadType"]
    admin.call("subscribe/control/add", {**master, "name": "later"})
    page = admin.call("subscribe/control/page", {"sort": "name", "order": "asc"})
    assert [(row["name"], row["loadType"]) for row in page["records"]] == [
        ("follows", "J"),
        ("later", "C"),
        ("own", "C"),
    ]
    (row,) = admin.call("subscribe/database/page", {"customerId": customer})["records"]
    assert row["loadType"] == "C"
    assert admin.call("subscribe/database/edit", {**asked, "loadType": None}) == []
    assert admin.refused("subscribe/database/edit", {**asked, "loadType": "X"})["code"] == 422
