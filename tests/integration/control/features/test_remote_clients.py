"""A remote client views its own index page, whatever its role allows others."""

import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.platform.menus import ENTRIES
from zcbus.control.store.tables.identity import user

REFUSED = (
    "sync/link/page",
    "sync/task/page",
    "account/user/page",
    "customer/page",
    "container/cluster/getAll",
    "common/dictionary/page",
)


def remote(plane: ControlPlane, role: str, tenant: str = "default") -> Caller:
    name = f"remote-{role}-{tenant}"[:50]
    add_user(plane, name, role, tenant)
    caller = Caller(plane, plane.sign_in(name))
    with plane.services.database.write() as connection:
        connection.execute(sa.update(user).where(user.c.user_name == name).values(client_remote=True))
    return caller


def test_a_remote_client_opens_nothing_but_its_index_page(plane: ControlPlane) -> None:
    caller = remote(plane, "super-admin")
    assert caller.call("account/role/menu/list") == ["home", "index", "resource", "resource/article", "disclaimers"]
    permissions = plane.get("auth/info", caller.token).json()["data"]["user"]["menuPermission"]
    assert sorted(permissions) == sorted(key for key, entry in ENTRIES.items() if entry.for_remote)
    for path in REFUSED:
        assert caller.refused(path, {"current": 1, "size": 20})["code"] == 40103, path
    assert caller.refused("bus-sys-parameter/update", {"variableName": "sys_config", "value": {}})["code"] == 40103
    assert caller.refused("sync/link/delete", {"name": "shop"})["code"] == 40103
    assert plane.get("sys/regist/info", caller.token).json()["code"] == 40103
    listed = plane.get("bus-sys-parameter/list", caller.token).json()["data"]
    assert [parameter["variableName"] for parameter in listed] == ["sys_config"]


def test_a_remote_client_sees_only_its_own_tenant(plane: ControlPlane, admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    here, elsewhere = remote(plane, "super-admin"), remote(plane, "super-admin", "south")
    assert len(here.call("home/overview")["links"]) == 1
    assert elsewhere.call("home/overview")["links"] == []
    customers = plane.get("auth/info", elsewhere.token).json()["data"]["customerList"]
    assert [customer["customerid"] for customer in customers] == ["south"]
