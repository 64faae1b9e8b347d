"""Simplified sync: both trees by their literal paths, matches, and one start with a result per table."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason

SOURCES = "simplify/sync/source/left/toolbar/page/list"
TARGETS = "simplify/sync/target/left/toolbar/page/list"


def entries(admin: Caller, path: str, **request: Any) -> list[tuple[str, str]]:
    """(id, name) of a toolbar's answer."""
    page = admin.call(path, {"current": 1, "size": 20, **request})
    assert page["total"] == len(page["records"])
    return [(one["id"], one["name"]) for one in page["records"]]


@pytest.mark.wide
def test_trees_matches_and_the_start(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    assert entries(admin, SOURCES, parentIdIsNull=True) == []
    admin.call("sync/link/apply", {"document": document(tables=["public.orders"])})
    databases = entries(admin, SOURCES, parentIdIsNull=True)
    assert [name for _, name in databases] == ["copy", "shop"]
    shop, copy = databases[1][0], databases[0][0]
    assert entries(admin, SOURCES, parentIdIsNull=True, search="postgres") == [(shop, "shop")]
    assert entries(admin, SOURCES, id=shop) == [(f"{shop}/public", "public")]
    assert entries(admin, TARGETS, id=copy, search="no such table") == []
    tables = entries(admin, TARGETS, id=f"{copy}/public", search="LIN*")
    assert [name for _, name in tables] == ["lines"]
    assert admin.call(SOURCES, {"id": f"{shop}/public", "size": 1})["total"] == 3
    assert admin.refused(SOURCES, {"id": "nothing"})["code"] == 404

    choice: dict[str, Any] = {"source": [f"{shop}/public"], "target": f"{copy}/copy"}
    page = admin.call("simplify/sync/match/page", choice)
    assert page["counts"] == {"existing": 0, "new": 1, "carried": 1, "conflict": 0, "refused": 1}
    assert {one["source"]["table"]: (one["target"]["table"], one["state"]) for one in page["records"]} == {
        "orders": ("orders", "carried"),
        "lines": ("lines", "new"),
        "audit_log": ("audit_log", "refused"),
    }
    named = {**choice, "names": {"prefix": "ods_"}, "search": "ods_l", "sort": "target", "order": "desc"}
    assert [one["target"]["table"] for one in admin.call("simplify/sync/match/page", named)["records"]] == ["ods_lines"]
    fewer = {**choice, "leaveOut": [f"{shop}/public/lines"]}
    assert admin.call("simplify/sync/match/page", fewer)["counts"]["new"] == 0
    only = {**choice, "state": ["refused"]}
    assert "storage engine" in admin.call("simplify/sync/match/page", only)["records"][0]["reason"]
    assert admin.refused("simplify/sync/match/page", {**choice, "target": copy})["code"] != 200
    two = {**choice, "source": [shop, f"{copy}/public"]}
    assert "one source database" in admin.refused("simplify/sync/match/page", two)["message"]

    refusal = Finding(level="error", table="public.lines", reason=Reason(code="table-without-key", facts={}))
    agent.database.findings = (refusal,)
    start = {**choice, "name": "easy", "names": {"prefix": "ods_"}}
    record = admin.call("simplify/sync/start", start)
    results = {one["table"]: (one["done"], bool(one["reason"])) for one in record["results"]}
    assert results == {
        "public.orders": (True, False),
        "public.lines": (False, True),
        "public.audit_log": (False, True),
    }
    link = admin.call("sync/link/get", {"id": record["linkId"]})
    assert (link["name"], link["taskId"], link["desired"]) == ("easy", record["taskId"], "running")
    (status,) = admin.call("sync/link/status", {"id": record["linkId"]})["tables"]
    assert (status["source"], status["target"]) == ("public.orders", "copy.ods_orders")
    assert admin.refused("simplify/sync/start", start)["message"]
    again = admin.call("simplify/sync/start", {**start, "name": "again"})
    assert (again["linkId"], [one["done"] for one in again["results"]]) == (None, [False, False, False])


def test_databases_of_other_tenants_are_out_of_reach(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    admin.call("sync/link/apply", {"document": document()})
    (_, copy), (_, shop) = ((0, one) for one, _ in entries(admin, SOURCES, parentIdIsNull=True))
    add_user(plane, "south", "administrator", "south")
    other = Caller(plane, plane.sign_in("south"))
    assert entries(other, SOURCES, parentIdIsNull=True) == entries(other, TARGETS) == []
    assert other.refused(TARGETS, {"id": copy})["code"] == 404
    choice = {"source": [f"{shop}/public"], "target": f"{copy}/copy"}
    assert other.refused("simplify/sync/match/page", choice)["code"] == 404
    assert other.refused("simplify/sync/start", {**choice, "name": "taken"})["code"] == 404
