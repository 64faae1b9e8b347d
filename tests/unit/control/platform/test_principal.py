"""Permissions of callers."""

import pytest

from zcbus.control.platform.authorisation import Access, agents_only, authorise, public, signed_in
from zcbus.control.platform.errors import ForbiddenError, NotAuthenticatedError
from zcbus.control.platform.principal import (
    ANONYMOUS,
    ANY,
    Operation,
    Principal,
    PrincipalKind,
    local_principal,
)

LINK_EDIT = authorise("sync-link", Operation.EDIT)


def caller(kind: PrincipalKind = "session", *permissions: tuple[str, str]) -> Principal:
    return Principal(kind, "u", "user", "south", (), frozenset(permissions), spans_tenants=False)


def refused(access: Access, principal: Principal) -> bool:
    try:
        access.check(principal)
    except (ForbiddenError, NotAuthenticatedError):
        return True
    return False


@pytest.mark.parametrize(
    ("permission", "allowed"),
    [
        (("sync-link", "edit"), True),
        (("sync-link", ANY), True),
        ((ANY, "edit"), True),
        ((ANY, ANY), True),
        (("sync-link", "view"), False),
        (("sync-task", "edit"), False),
        (("sync", "edit"), False),
    ],
)
def test_a_permission_names_menu_and_operation(permission: tuple[str, str], allowed: bool) -> None:
    assert refused(LINK_EDIT, caller("session", permission)) is not allowed


def test_nothing_is_allowed_without_permission() -> None:
    assert refused(LINK_EDIT, caller())
    with pytest.raises(NotAuthenticatedError):
        LINK_EDIT.check(ANONYMOUS)


def test_a_token_for_a_password_change_counts_as_not_signed_in() -> None:
    with pytest.raises(NotAuthenticatedError):
        signed_in().check(caller("reset", (ANY, ANY)))


def test_agents_have_their_own_calls_only() -> None:
    agent = caller("agent", (ANY, ANY))
    assert not refused(agents_only(), agent)
    assert refused(signed_in(), agent)
    assert refused(LINK_EDIT, agent)
    assert refused(agents_only(), caller("session", (ANY, ANY)))


def test_the_local_token_opens_everything() -> None:
    for access in (signed_in(), LINK_EDIT, agents_only(), public("test")):
        assert not refused(access, local_principal())


def test_a_public_route_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        public("")


def test_menu_keys_keep_the_consoles_order() -> None:
    keys = caller("session", ("sync-link", "view"), ("home", ANY), ("unknown", "view")).menu_keys
    assert keys == ["home", "sync-link"]


def test_tenants_are_apart() -> None:
    assert caller().may_see_tenant("south")
    assert not caller().may_see_tenant("north")
    assert local_principal().may_see_tenant("north")
