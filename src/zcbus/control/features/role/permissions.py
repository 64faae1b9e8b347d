"""Permissions of a role: as stored (pairs) and as returned (operations by menu entry)."""

from collections.abc import Iterable

from zcbus.control.features.role.errors import PermissionUnknownError
from zcbus.control.features.role.schemas import Permission
from zcbus.control.platform.menus import MENU_KEYS, Operation, is_offered
from zcbus.control.platform.principal import ANY

Pair = tuple[str, str]

_OPERATIONS = [*(operation.value for operation in Operation), ANY]


def pairs_of(permissions: Iterable[Permission]) -> set[Pair]:
    """The pairs to store. Raises PermissionUnknownError for one that the table of menu entries does not have."""
    pairs: set[Pair] = set()
    for permission in permissions:
        for operation in permission.operations:
            _check(permission.menu_key, operation)
            pairs.add((permission.menu_key, str(operation)))
        if permission.operations and ANY not in permission.operations:
            pairs.add((permission.menu_key, Operation.VIEW.value))
    return pairs


def grouped(pairs: set[Pair]) -> list[Permission]:
    """The pairs by menu entry, in the menu's order."""
    keys = [ANY, *MENU_KEYS]
    return [
        Permission.model_validate({"menu_key": key, "operations": operations})
        for key in keys
        if (operations := [operation for operation in _OPERATIONS if (key, operation) in pairs])
    ]


def _check(menu_key: str, operation: Operation | str) -> None:
    if menu_key == ANY or operation == ANY:
        known = menu_key == ANY or menu_key in MENU_KEYS
    else:
        known = is_offered(menu_key, Operation(operation))
    if not known:
        raise PermissionUnknownError(menuKey=menu_key, operation=str(operation))
