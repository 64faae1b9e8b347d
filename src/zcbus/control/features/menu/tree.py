"""The present menu: the table of `platform.menus` with the administrators' changes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.menu import repository
from zcbus.control.platform.menus import MENU, MenuEntry
from zcbus.control.platform.principal import Operation, Principal


@dataclass(slots=True)
class Node:
    """An entry of the menu with those beneath it, in order."""

    entry: MenuEntry
    parent_key: str | None
    position: int
    title_zh: str
    title_en: str
    hidden: bool = False
    own_group: bool = False
    children: list["Node"] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.entry.key


def read_tree(connection: Connection) -> list[Node]:
    """The whole menu, topmost entries in order."""
    rows = {row.menu_key: row for row in repository.select_all(connection)}
    nodes = [_shipped(entry, rows.get(entry.key)) for entry in MENU]
    nodes += [_own_group(row) for row in rows.values() if row.own_group]
    return _nested(nodes)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Every entry, each before those beneath it."""
    for node in nodes:
        yield node
        yield from walk(node.children)


def granted(nodes: Iterable[Node], principal: Principal, *, with_permissions: bool = False) -> list[Node]:
    """The entries of a caller: granted pages that are not hidden, and groups with at least one; permissions without a
    page only on request."""
    shown = []
    for node in nodes:
        if node.hidden or (node.entry.kind == "permission" and not with_permissions):
            continue
        if node.entry.kind == "group":
            node.children = granted(node.children, principal, with_permissions=with_permissions)
            if node.children:
                shown.append(node)
        elif principal.may(node.key, Operation.VIEW):
            shown.append(node)
    return shown


def _shipped(entry: MenuEntry, row: Row[Any] | None) -> Node:
    if row is None:
        return Node(entry, entry.parent, entry.position, entry.title_zh, entry.title_en)
    titles = (row.title_zh or entry.title_zh, row.title_en or entry.title_en)
    return Node(entry, row.parent_key, row.position, *titles, hidden=row.hidden)


def _own_group(row: Row[Any]) -> Node:
    entry = MenuEntry(row.menu_key, row.title_zh, row.title_en, kind="group")
    return Node(entry, None, row.position, row.title_zh, row.title_en, row.hidden, own_group=True)


def _nested(nodes: list[Node]) -> list[Node]:
    groups = {node.key: node for node in nodes if node.entry.kind == "group"}
    topmost: list[Node] = []
    for node in sorted(nodes, key=lambda node: node.position):
        parent = groups.get(node.parent_key or "")
        (parent.children if parent else topmost).append(node)
    return topmost
