"""Requests and answers of the menu."""

from typing import Literal

from pydantic import Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.schema import Schema

MenuKind = Literal["group", "page", "permission"]


class MenuNode(Schema):
    """An entry for the caller, with those beneath it in order. `operations`: the caller's."""

    menu_key: str
    kind: MenuKind
    title_zh: str
    title_en: str
    operations: list[Operation]
    children: list["MenuNode"]


class MenuRecord(Schema):
    """An entry for administration. `operations` are those that a role can get for it."""

    menu_key: str
    parent_key: str | None
    kind: MenuKind
    title_zh: str
    title_en: str
    usual_title_zh: str
    usual_title_en: str
    hidden: bool
    own_group: bool
    operations: list[Operation]
    whole_platform: bool
    children: list["MenuRecord"]


class MenuChoice(Schema):
    """One entry."""

    menu_key: str = Field(min_length=1, max_length=100)


class MenuDeletion(MenuChoice, DeletionProof):
    """The group to delete."""


class MenuEdit(MenuChoice):
    """Title and visibility of an entry. An empty title restores the default."""

    title_zh: str = Field(default="", max_length=50)
    title_en: str = Field(default="", max_length=50)
    hidden: bool = False


class MenuMove(MenuChoice):
    """Where an entry goes: into `parentKey` (none: topmost), in front of `beforeKey` (none: at the end)."""

    parent_key: str | None = Field(default=None, max_length=100)
    before_key: str | None = Field(default=None, max_length=100)


class MenuGroup(Schema):
    """A new group, topmost and last."""

    title_zh: str = Field(min_length=1, max_length=50)
    title_en: str = Field(min_length=1, max_length=50)
