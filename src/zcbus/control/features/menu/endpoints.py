"""Calls of the menu."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.menu import service
from zcbus.control.features.menu.schemas import (
    MenuChoice,
    MenuDeletion,
    MenuEdit,
    MenuGroup,
    MenuMove,
    MenuNode,
    MenuRecord,
)
from zcbus.control.features.menu.tree import granted, read_tree, walk
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("menu")

_VIEW = authorise(service.MENU_KEY, Operation.VIEW)
_EDIT = authorise(service.MENU_KEY, Operation.EDIT)


@api.read("/api/zcbus/account/role/menu/list", signed_in())
def list_keys(call: Call) -> list[str]:
    """The menu entries the caller may see, in the order of the console, groups before their entries."""
    return [node.key for node in walk(granted(read_tree(call.connection), call.principal))]


@api.read("/api/zcbus/account/role/menu/tree", signed_in())
def granted_tree(call: Call) -> list[MenuNode]:
    """The same as a tree, with titles and the caller's operations, and with permissions without a page."""
    shown = granted(read_tree(call.connection), call.principal, with_permissions=True)
    return [service.node_of(node, call.principal) for node in shown]


@api.read("/api/zcbus/account/menu/tree", _VIEW)
def tree(call: Call, body: Empty) -> list[MenuRecord]:
    """The complete menu, with permissions without a page and hidden entries."""
    return [service.record_of(node) for node in read_tree(call.connection)]


@api.change("/api/zcbus/account/menu/edit", _EDIT)
def edit(call: Call, body: MenuEdit) -> None:
    """Rename an entry, hide it, show it again."""
    _about(call, body)
    service.edit(call.connection, call.services.clock.now(), body)


@api.change("/api/zcbus/account/menu/move", _EDIT)
def move(call: Call, body: MenuMove) -> None:
    """Put an entry somewhere else."""
    _about(call, body)
    service.move(call.connection, call.services.clock.now(), body)


@api.change("/api/zcbus/account/menu/group/add", authorise(service.MENU_KEY, Operation.CREATE))
def add_group(call: Call, body: MenuGroup) -> MenuChoice:
    """Make a group."""
    call.audit.subject = body.title_zh
    return MenuChoice(menu_key=service.add_group(call.connection, call.services.clock.now(), body))


@api.change("/api/zcbus/account/menu/group/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete_group(call: Call, body: MenuDeletion) -> None:
    """Remove a group that an administrator made; its entries move to the top level in its place."""
    confirm_deletion(call, body)
    _about(call, body)
    call.audit.after = None
    service.delete_group(call.connection, call.services.clock.now(), body.menu_key)


def _about(call: Call, body: MenuChoice) -> None:
    call.audit.subject = body.menu_key
    call.audit.before = service.plain(service.find(call.connection, body.menu_key))
