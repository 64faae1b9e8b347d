"""How administrators change the menu."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from zcbus.control.features.menu import repository
from zcbus.control.features.menu.errors import MenuNeededError, MenuNestedError, MenuShippedError, MenuUnknownError
from zcbus.control.features.menu.schemas import MenuEdit, MenuGroup, MenuMove, MenuNode, MenuRecord
from zcbus.control.features.menu.tree import Node, read_tree, walk
from zcbus.control.platform.principal import Principal
from zcbus.kit.ids import new_id

MENU_KEY = "authority-management/menu-management"


def find(connection: Connection, menu_key: str) -> Node:
    """One entry. Raises MenuUnknownError."""
    return _find(read_tree(connection), menu_key)


def edit(connection: Connection, now: datetime, body: MenuEdit) -> None:
    """Change titles and whether an entry is shown. Raises MenuUnknownError, MenuNeededError."""
    node = find(connection, body.menu_key)
    if body.hidden and MENU_KEY in [inner.key for inner in walk([node])]:
        raise MenuNeededError(key=body.menu_key)
    node.title_zh = body.title_zh.strip() or node.entry.title_zh
    node.title_en = body.title_en.strip() or node.entry.title_en
    node.hidden = body.hidden
    _store(connection, now, node)


def move(connection: Connection, now: datetime, body: MenuMove) -> None:
    """Put an entry in front of another. Raises MenuUnknownError, MenuNestedError."""
    tree = read_tree(connection)
    node = _find(tree, body.menu_key)
    siblings = tree
    if body.parent_key is not None:
        parent = _find(tree, body.parent_key)
        if parent.entry.kind != "group" or node.entry.kind == "group":
            raise MenuNestedError(key=body.menu_key)
        siblings = parent.children
    ordered = _inserted(siblings, node, body.before_key)
    node.parent_key = body.parent_key
    for position, sibling in zip(_positions(ordered), ordered, strict=True):
        if sibling.position != position or sibling is node:
            sibling.position = position
            _store(connection, now, sibling)


def add_group(connection: Connection, now: datetime, body: MenuGroup) -> str:
    """Make a group and return its key."""
    key = f"group-{new_id()}"
    last = max(node.position for node in walk(read_tree(connection)))
    repository.store(
        connection,
        key,
        now,
        parent_key=None,
        position=last + 1,
        title_zh=body.title_zh.strip(),
        title_en=body.title_en.strip(),
        hidden=False,
        own_group=True,
    )
    return key


def delete_group(connection: Connection, now: datetime, menu_key: str) -> None:
    """Remove a group; its entries move to the top level in its place. Raises MenuUnknownError, MenuShippedError."""
    node = find(connection, menu_key)
    if not node.own_group:
        raise MenuShippedError(key=menu_key)
    for child in node.children:
        move(connection, now, MenuMove(menu_key=child.key, parent_key=None, before_key=menu_key))
    repository.remove(connection, menu_key)


def node_of(node: Node, principal: Principal) -> MenuNode:
    """An entry as a caller's record."""
    return MenuNode(
        menu_key=node.key,
        kind=node.entry.kind,
        title_zh=node.title_zh,
        title_en=node.title_en,
        operations=[operation for operation in node.entry.operations if principal.may(node.key, operation)],
        children=[node_of(child, principal) for child in node.children],
    )


def record_of(node: Node) -> MenuRecord:
    """An entry as an administrator's record."""
    return MenuRecord(
        menu_key=node.key,
        parent_key=node.parent_key,
        kind=node.entry.kind,
        title_zh=node.title_zh,
        title_en=node.title_en,
        usual_title_zh=node.entry.title_zh,
        usual_title_en=node.entry.title_en,
        hidden=node.hidden,
        own_group=node.own_group,
        operations=list(node.entry.operations),
        whole_platform=node.entry.whole_platform,
        children=[record_of(child) for child in node.children],
    )


def plain(node: Node) -> dict[str, Any]:
    """An entry for the operation log."""
    return record_of(node).model_dump(
        mode="json", by_alias=True, include={"parent_key", "title_zh", "title_en", "hidden"}
    )


def _find(tree: list[Node], menu_key: str) -> Node:
    for node in walk(tree):
        if node.key == menu_key:
            return node
    raise MenuUnknownError(key=menu_key)


def _inserted(siblings: list[Node], node: Node, before_key: str | None) -> list[Node]:
    others = [sibling for sibling in siblings if sibling.key != node.key]
    if before_key is None:
        return [*others, node]
    keys = [sibling.key for sibling in others]
    if before_key not in keys:
        raise MenuUnknownError(key=before_key)
    position = keys.index(before_key)
    return [*others[:position], node, *others[position:]]


def _positions(nodes: list[Node]) -> list[int]:
    """The nodes' positions, made strictly increasing, with as few changes as possible."""
    positions: list[int] = []
    for position in sorted(node.position for node in nodes):
        positions.append(max(position, positions[-1] + 1) if positions else position)
    return positions


def _store(connection: Connection, now: datetime, node: Node) -> None:
    own_zh, own_en = node.title_zh != node.entry.title_zh, node.title_en != node.entry.title_en
    repository.store(
        connection,
        node.key,
        now,
        parent_key=node.parent_key,
        position=node.position,
        title_zh=node.title_zh if own_zh or node.own_group else None,
        title_en=node.title_en if own_en or node.own_group else None,
        hidden=node.hidden,
        own_group=node.own_group,
    )
