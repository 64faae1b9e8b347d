"""Routes: kept with their secrets sealed, given to agents with the connections that name them, deleted when unused."""

from typing import Any

import pytest
from sqlalchemy import select

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.network_route import network_route
from zcbus.control.store.tables.publish import publish_node
from zcbus.protocol.answers import Check, RouteTest
from zcbus.protocol.tasks import PublishTask, SubscribeTask

BASE = "system/network-route"
KEY = "SHA256:AAAAbbbbCCCC"


def bastion(**changes: Any) -> dict[str, Any]:
    settings = {"kind": "ssh", "host": "bastion.example", "port": 22, "user": "ops", "password": "secret-2"}
    return {"name": "site-a", "hostKey": KEY, "targets": ["*.internal", "10.0.0.0/8"], **settings, **changes}


def routed(name: str = "site-a") -> dict[str, Any]:
    made = document()
    made["source"]["route"] = name
    return made


def test_a_route_is_kept_without_showing_its_secrets(admin: Caller, plane: ControlPlane) -> None:
    added = admin.call(f"{BASE}/add", bastion())
    assert (added["hasPassword"], added["hasKey"], added["users"]) == (True, False, 0)
    assert "secret-2" not in str(added) + str(admin.call(f"{BASE}/page", {})) + str(admin.logged_before())
    with plane.services.database.read() as store:
        (stored,) = store.execute(select(network_route.c.secrets)).scalars()
    assert "secret-2" not in str(stored)
    assert admin.call(f"{BASE}/list", {}) == [{"name": "site-a", "kind": "ssh", "description": ""}]
    assert admin.call(f"{BASE}/page", {"search": "bastion.ex"})["total"] == 1
    assert admin.call(f"{BASE}/page", {"search": "elsewhere"})["total"] == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hostKey": ""}, ""),
        ({"user": ""}, ""),
        ({"host": "a b"}, "host"),
        ({"targets": ["10.0.0.0/99"]}, "targets"),
        ({"source": "not-an-address"}, "source"),
        ({"kind": "direct", "source": ""}, ""),
        ({"kind": "telnet"}, "kind"),
    ],
)
def test_what_is_no_route_is_refused(admin: Caller, changes: dict[str, Any], field: str) -> None:
    refused = admin.refused(f"{BASE}/add", bastion(**changes))
    assert any(one["field"].startswith(field) for one in refused["data"]["fields"]), refused


def test_names_are_unique_and_stay(admin: Caller) -> None:
    route = admin.call(f"{BASE}/add", bastion())
    assert admin.refused(f"{BASE}/add", bastion())["data"]["error"] == "route-name-taken"
    renamed = bastion(id=route["id"], name="other")
    assert admin.refused(f"{BASE}/edit", renamed)["data"]["error"] == "route-name-stays"


def test_a_stored_secret_is_for_the_server_that_it_was_given_for(admin: Caller) -> None:
    route = admin.call(f"{BASE}/add", bastion())
    kept = admin.call(f"{BASE}/edit", bastion(id=route["id"], password="", description="moved"))
    assert (kept["hasPassword"], kept["description"]) == (True, "moved")
    for changes in ({"host": "evil.example"}, {"port": 2222}, {"user": "root"}):
        body = bastion(id=route["id"], password="", **changes)
        assert admin.refused(f"{BASE}/edit", body)["data"]["error"] == "route-secret-needed", changes


def test_agents_get_the_route_with_the_connections_that_name_it(admin: Caller, agent: FakeAgent) -> None:
    route = admin.call(f"{BASE}/add", bastion())
    admin.call("sync/link/apply", {"document": routed()})
    source = agent.order(PublishTask).task.source
    assert source.options["route"] == "site-a"
    assert source.route is not None
    assert (source.route.host, source.route.password.get_secret_value()) == ("bastion.example", "secret-2")
    assert agent.order(SubscribeTask).task.target.route is None
    admin.call(f"{BASE}/edit", bastion(id=route["id"], targets=["db.internal"]))
    changed = agent.order(PublishTask).task.source.route
    assert changed is not None
    assert changed.targets == ("db.internal",)


def test_a_route_that_there_is_not_stays_away(admin: Caller, agent: FakeAgent) -> None:
    """The agent then refuses to connect; see the engine's tests."""
    admin.call("sync/link/apply", {"document": routed("gone")})
    assert agent.order(PublishTask).task.source.route is None
    assert agent.order(PublishTask).task.source.options["route"] == "gone"


def test_who_takes_a_route_is_listed_and_keeps_it(admin: Caller, agent: FakeAgent) -> None:
    route = admin.call(f"{BASE}/add", bastion())
    admin.call("sync/link/apply", {"document": routed()})
    page = admin.call(f"{BASE}/user/page", {"id": route["id"], "search": "SHOP"})
    (user,) = page["records"]
    assert (user["name"], user["use"], user["kind"]) == ("shop", "publish", "postgresql")
    refused = admin.refused(f"{BASE}/delete", {"id": route["id"]})
    assert refused["data"]["error"] == "route-used"
    assert "shop" in refused["message"]
    assert admin.call(f"{BASE}/page", {})["records"][0]["users"] == 1
    admin.call("sync/link/apply", {"document": document()})
    admin.call(f"{BASE}/delete", {"id": route["id"]})
    assert admin.call(f"{BASE}/page", {})["total"] == 0


def test_links_as_code_name_the_route(admin: Caller, agent: FakeAgent) -> None:
    admin.call(f"{BASE}/add", bastion())
    admin.call("sync/link/apply", {"document": routed()})
    link = admin.call("sync/link/page", {})["records"][0]
    exported = admin.call("sync/link/export", {"id": link["id"]})
    assert exported["document"]["source"]["route"] == "site-a"


def test_another_route_needs_the_databases_password_again(admin: Caller, agent: FakeAgent) -> None:
    """Else who may edit a connection could have its password sent through a proxy of his own."""
    admin.call(f"{BASE}/add", bastion())
    admin.call("sync/link/apply", {"document": document()})
    with admin.plane.services.database.read() as store:
        node_id = store.execute(select(publish_node.c.id)).scalar_one()
    choice = {**routed()["source"], "nodeMaster": node_id}
    del choice["password"]
    refused = admin.refused("dynamic/datasource/test-db-parameter", choice)
    assert refused["data"]["error"] == "password-needed", refused


REFERENCE = "${env:ZCBUS_SECRET_BASTION}"


def test_a_reference_is_shown_and_reaches_only_agents_that_read_it(admin: Caller, agent: FakeAgent) -> None:
    def tried(request: Any) -> RouteTest:
        asked.append(request)
        return RouteTest(ok=True, checks=())

    asked: list[Any] = []
    agent.handlers["test-route"] = tried
    wrong = admin.refused(f"{BASE}/add", bastion(password="${env:A-B}"))
    assert [one["field"] for one in wrong["data"]["fields"]] == ["password"]
    # Before a host of the tenant takes part, none stands in the way.
    route = admin.call(f"{BASE}/add", bastion(password=REFERENCE))
    assert (route["hasPassword"], route["passwordReference"]) == (False, REFERENCE)
    admin.call("sync/link/apply", {"document": routed()})
    source = agent.order(PublishTask).task.source
    assert source.route is None
    assert source.referring_route is not None
    assert source.referring_route.references == {"password": REFERENCE}
    for path, body in (("edit", {}), ("test", {"password": ""})):
        refused = admin.refused(f"{BASE}/{path}", bastion(id=route["id"], password=REFERENCE) | body)
        assert refused["data"]["error"] == "reference-unread"
        assert "here" in refused["message"]
    assert asked == []
    agent.register(reads_route_references=True)
    admin.call(f"{BASE}/edit", bastion(id=route["id"], password="", description="moved"))
    admin.call(f"{BASE}/test", bastion(id=route["id"], password=""))
    assert (asked[0].route.references, asked[0].tenant) == ({"password": REFERENCE}, "default")
    # A secret takes its place, and the other way round; another server needs it again.
    kept = admin.call(f"{BASE}/edit", bastion(id=route["id"]))
    assert (kept["hasPassword"], kept["passwordReference"]) == (True, "")
    kept = admin.call(f"{BASE}/edit", bastion(id=route["id"], password=REFERENCE))
    assert (kept["hasPassword"], kept["passwordReference"]) == (False, REFERENCE)
    moved = bastion(id=route["id"], password="", host="evil.example")
    assert admin.refused(f"{BASE}/edit", moved)["data"]["error"] == "route-secret-needed"


def test_a_connection_with_a_reference_is_refused_while_a_host_would_not_read_it(
    admin: Caller, agent: FakeAgent
) -> None:
    admin.call("sync/link/apply", {"document": document()})
    referring = document()
    referring["source"]["password"] = REFERENCE
    with admin.plane.services.database.read() as store:
        node_id = store.execute(select(publish_node.c.id)).scalar_one()
    tested = {**referring["source"], "nodeMaster": node_id}
    for path, body in (
        ("sync/link/apply", {"document": referring}),
        ("dynamic/datasource/test-db-parameter", tested),
        ("publish/node/add", {"name": "another", "connection": referring["source"]}),
    ):
        refused = admin.refused(path, body)
        assert (refused["data"]["error"], "here" in refused["message"]) == ("reference-unread", True), (path, refused)
    agent.register(reads_route_references=True)
    admin.call("sync/link/apply", {"document": referring})
    source = agent.order(PublishTask).task.source
    assert (source.options["password"], source.secrets) == (REFERENCE, {})


def test_settings_are_tried_by_an_agent_before_they_are_kept(admin: Caller, agent: FakeAgent) -> None:
    asked: list[Any] = []

    def tried(request: Any) -> RouteTest:
        asked.append(request)
        check = Check(item="host-key", statement="", ok=False, blocking=True, detail="not confirmed")
        return RouteTest(ok=False, checks=(check,), shown_key=KEY)

    agent.handlers["test-route"] = tried
    new = {**bastion(hostKey=""), "targetHost": "db.internal", "targetPort": 5432}
    found = admin.call(f"{BASE}/test", new)
    assert (found["ok"], found["shownKey"]) == (False, KEY)
    assert found["checks"][0]["label"] == "Host key"
    assert asked[0].route.password.get_secret_value() == "secret-2"
    route = admin.call(f"{BASE}/add", bastion())
    admin.call(f"{BASE}/test", bastion(id=route["id"], password=""))
    assert asked[1].route.password.get_secret_value() == "secret-2"
    admin.call(f"{BASE}/test", bastion(id=route["id"], password="", host="evil.example"))
    assert asked[2].route.password.get_secret_value() == ""


def test_tenants_see_their_own_routes(admin: Caller, plane: ControlPlane) -> None:
    route = admin.call(f"{BASE}/add", bastion())
    other = administrator_of(plane, "acme")
    assert other.call(f"{BASE}/page", {})["total"] == 0
    assert other.call(f"{BASE}/list", {}) == []
    other.call(f"{BASE}/add", bastion())
    for path in ("edit", "test", "delete", "user/page"):
        body = bastion(id=route["id"])
        assert other.plane.post(f"{BASE}/{path}", body, other.token).status_code == 404, path
