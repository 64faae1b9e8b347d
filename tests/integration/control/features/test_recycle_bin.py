"""The recycle bin: what is deleted comes back as it was, by the rights of its kind, until it expires."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.platform.test_session import add_user
from zcbus.control.features.recycle_bin.service import purge_expired
from zcbus.control.store.tables.recycle_bin import recycled_object

pytestmark = pytest.mark.every_store

BIN = "resource/recycleBin"


def page(caller: Caller, **asked: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = caller.call(f"{BIN}/page", asked)["records"]
    return records


def save(caller: Caller, description: str) -> dict[str, Any]:
    values = {"description": description, "statement": "SELECT 1", "databaseId": ""}
    saved: dict[str, Any] = caller.call("resource/sql/add", values)
    return saved


@pytest.mark.wide
def test_a_policy_comes_back_with_its_versions_but_without_its_deleted_node(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    policy = {"id": admin.call("policy/define/add", {"productName": "retail", "nodeMaster": node})["id"]}
    for table in ("public.orders", "public.lines"):
        admin.call("policy/sheet/add", {**policy, "tables": [table]})
        admin.call("policy/define/version/add", policy)
    [before] = admin.call("policy/define/page", {})["records"]
    versions = admin.call("policy/define/version/page", policy)
    sheet = admin.call("policy/sheet/page", {**policy, "version": 1})
    admin.call("policy/define/delete", policy)
    assert admin.call("policy/define/page", {})["total"] == 0
    [recycled] = page(admin, kind="policy", search="RETA")
    assert (recycled["name"], recycled["kind"], recycled["deletedBy"]) == ("retail", "policy", "admin")
    chosen = {"id": recycled["id"]}
    assert admin.call(f"{BIN}/preview", chosen) == {"nameTaken": False, "missing": [], "blocking": []}
    admin.call(f"{BIN}/restore", chosen)
    assert admin.call("policy/define/page", {})["records"] == [before]
    assert admin.call("policy/define/version/page", policy) == versions
    assert admin.call("policy/sheet/page", {**policy, "version": 1}) == sheet
    assert page(admin) == []

    # The name is taken and the node deleted meanwhile.
    admin.call("policy/define/delete", policy)
    other = new_node(admin, "other")
    taken = admin.call("policy/define/add", {"productName": "retail", "nodeMaster": other})
    admin.call("publish/node/delete", {"nodeMaster": node})
    [recycled] = page(admin, kind="policy")
    chosen = {"id": recycled["id"]}
    assert admin.call(f"{BIN}/preview", chosen) == {"nameTaken": True, "missing": ["publish-node"], "blocking": []}
    assert admin.refused(f"{BIN}/restore", chosen)["data"]["error"] == "recycled-name-taken"
    admin.call("policy/define/delete", {"id": taken["id"]})
    admin.call(f"{BIN}/restore", chosen)
    [restored] = admin.call("policy/define/page", {})["records"]
    assert (restored["id"], restored["nodeMaster"], restored["newest"]) == (policy["id"], None, 2)
    assert [one["name"] for one in page(admin, kind="policy")] == ["retail"]


def test_the_bin_obeys_tenants_rights_and_time(admin: Caller) -> None:
    foreign = administrator_of(admin.plane, "north")
    for caller, names in ((admin, ("a", "b", "c")), (foreign, ("far",))):
        for name in names:
            caller.call("resource/sql/delete", {"id": save(caller, name)["id"]})
            admin.plane.clock.advance(timedelta(seconds=1))
    north = administrator_of(admin.plane, "south")
    assert page(north) == []
    [far] = page(foreign)
    for call in ("preview", "restore", "delete"):
        assert north.refused(f"{BIN}/{call}", {"id": far["id"]})["code"] == 404
    # The bin alone is not enough: the kind's own page decides as well.
    permissions = [
        {"menuKey": BIN, "operations": ["view", "edit", "delete"]},
        {"menuKey": "resource/sqlManagement", "operations": ["view"]},
    ]
    admin.call("account/role/add", {"code": "cleaner", "nameZh": "清", "nameEn": "C", "permissions": permissions})
    add_user(admin.plane, "lena", "cleaner")
    lena = Caller(admin.plane, admin.plane.sign_in("lena"))
    own = page(lena, sort="name", order="asc")
    assert [one["name"] for one in own] == ["a", "b", "c"]
    first = {"id": own[0]["id"]}
    assert lena.refused(f"{BIN}/restore", first)["data"]["error"] == "forbidden"
    assert lena.refused(f"{BIN}/delete", first)["data"]["error"] == "forbidden"
    assert lena.call(f"{BIN}/empty", {"deletedUntil": own[-1]["deletedAt"]}) == {"deleted": 0}

    admin.call(f"{BIN}/delete", first)
    assert admin.logged_subject() == "a"
    assert admin.refused(f"{BIN}/restore", first)["code"] == 404
    # What was deleted after the question stays.
    assert admin.call(f"{BIN}/empty", {"deletedUntil": own[1]["deletedAt"]}) == {"deleted": 1}
    assert admin.logged_before() == {"objects": ["b"], "count": 1}
    assert [one["name"] for one in page(lena)] == ["c"]

    services = admin.plane.services
    admin.plane.clock.advance(timedelta(days=30))
    purge_expired(services)
    with services.database.read() as store:
        assert store.execute(select(func.count()).select_from(recycled_object)).scalar_one() == 0
