"""The one table of what a role can be allowed: menu entries, what can be done behind each, and in whose data.

`npm --prefix console run menu` writes `menu_catalogue.json` from the definitions of the console's pages; `make check`
compares them. Only what works is listed. A route may ask only for a pair of this table (`authorisation.authorise`), so
nothing is allowed that stands nowhere. Order is the console's usual order; an administrator may store another one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any, Literal

from zcbus.model.services import ClientType


class Operation(StrEnum):
    """Operations on the objects behind a menu entry."""

    VIEW = "view"
    CREATE = "create"
    EDIT = "edit"
    DELETE = "delete"
    # Start, stop, pause, resume, reload.
    OPERATE = "operate"


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A group, a page, or a permission without a page.

    A page's key is its path without the leading slash. An `administrative` entry needs a role that names it or that may
    do everything: permission to view every entry does not open it. `whole_platform` marks entries that concern every
    tenant: only a role that spans tenants opens them. `for_remote` entries may be viewed by remote clients where their
    role allows it; all others are closed to remote clients. `remote_only` entries are offered to remote clients alone.
    """

    key: str
    title_zh: str
    title_en: str
    # Stored orders are in the same numbers.
    position: int = 0
    operations: tuple[Operation, ...] = ()
    kind: Literal["group", "page", "permission"] = "page"
    parent: str | None = None
    administrative: bool = False
    whole_platform: bool = False
    for_remote: bool = False
    remote_only: bool = False


CUSTOMER_PAGES: Mapping[ClientType, str] = {"client": "subscribe", "databus": "databus", "stream": "stream"}
"""Behind which entry customers of a type stand."""


def _read_catalogue() -> tuple[MenuEntry, ...]:
    written = (files(__package__) / "menu_catalogue.json").read_text("utf-8")
    return tuple(MenuEntry(**{**entry, "operations": _operations(entry)}) for entry in json.loads(written))


def _operations(entry: Mapping[str, Any]) -> tuple[Operation, ...]:
    return tuple(Operation(name) for name in entry["operations"])


MENU: tuple[MenuEntry, ...] = _read_catalogue()

ENTRIES: dict[str, MenuEntry] = {entry.key: entry for entry in MENU}

# What roles are given one by one; groups are shown when something in them is.
MENU_KEYS: tuple[str, ...] = tuple(entry.key for entry in MENU if entry.kind != "group")


def is_offered(menu_key: str, operation: Operation) -> bool:
    """Whether the table has this pair."""
    entry = ENTRIES.get(menu_key)
    return entry is not None and operation in entry.operations
