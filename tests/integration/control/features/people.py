"""Two tenants with an administrator each, and data of the user form."""

from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane

NEW_PASSWORD = "Fresh12345"


def administrator_of(plane: ControlPlane, tenant: str) -> Caller:
    """A signed-in user with the role administrator in a tenant, which is created."""
    add_user(plane, f"boss-{tenant}", "administrator", tenant)
    return Caller(plane, plane.sign_in(f"boss-{tenant}"))


def form(name: str, **changes: Any) -> dict[str, Any]:
    """The user form, filled rightly."""
    return {
        "userName": name,
        "password": NEW_PASSWORD,
        "nickName": name[:10],
        "documentType": "0",
        "idNumber": "11010519491231002X",
        "roleCode": "ordinary",
        "phone": "13812345678",
        "email": f"{name}@example.com",
        "status": "0",
        "description": "",
        **changes,
    }


def first_sign_in(plane: ControlPlane, name: str, password: str = NEW_PASSWORD) -> Caller:
    """Sign in as a new user does: the password must be changed first, to ADMIN_PASSWORD."""
    answer = plane.post("sys/authentication/login", {"userName": name, "password": password}).json()
    assert answer["code"] == 40200, answer
    change = {"newPassword": "Chosen.1234", "confirmPassword": "Chosen.1234", "token": answer["data"]["token"]}
    assert plane.post("account/user/change/password", change).json()["code"] == 200
    return Caller(plane, plane.sign_in(name, "Chosen.1234"))


__all__ = ["ADMIN_PASSWORD", "NEW_PASSWORD", "administrator_of", "first_sign_in", "form"]
