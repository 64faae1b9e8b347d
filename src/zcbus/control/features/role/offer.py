"""Permissions that a caller can put into a role: only those of its own."""

from sqlalchemy import Connection

from zcbus.control.features.menu.tree import Node, read_tree, walk
from zcbus.control.features.role.schemas import Offer, OfferedEntry
from zcbus.control.platform.language import Language
from zcbus.control.platform.principal import ANY, Operation, Principal


def offer(connection: Connection, principal: Principal, language: Language) -> Offer:
    """Menu entries in the menu's order, groups before their entries."""
    nodes = list(walk(read_tree(connection)))
    entries = [_entry(node, principal, language) for node in nodes]
    parents = {entry.parent_key for entry in entries if entry.operations}
    return Offer(
        entries=[entry for entry in entries if entry.operations or entry.menu_key in parents],
        everywhere=[operation for operation in Operation if principal.covers([(ANY, operation)])],
        everything=principal.covers([(ANY, ANY)]),
    )


def _entry(node: Node, principal: Principal, language: Language) -> OfferedEntry:
    entry = node.entry
    return OfferedEntry(
        menu_key=node.key,
        parent_key=node.parent_key,
        kind=entry.kind,
        title=node.title_zh if language == "zh" else node.title_en,
        administrative=entry.administrative,
        whole_platform=entry.whole_platform,
        operations=[operation for operation in entry.operations if principal.may(node.key, operation)],
    )
