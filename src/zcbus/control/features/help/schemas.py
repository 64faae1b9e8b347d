"""Requests and answers of the console's help."""

from datetime import datetime

from pydantic import Field

from zcbus.control.platform.language import Language
from zcbus.control.platform.schema import Schema


class HelpPageTitle(Schema):
    """A page: its path below `docs/` without the ending, and its title in the caller's language."""

    name: str
    title: str


class HelpSection(Schema):
    """Pages under one heading; the first section has none."""

    title: str
    pages: list[HelpPageTitle]


class HelpPageRequest(Schema):
    """Which page."""

    name: str = Field(max_length=200)


class HelpVersion(Schema):
    """The version of an article that readers see: when and by whom it was published, and the note to it."""

    number: int
    published_at: datetime
    published_by: str
    note: str


class HelpPage(Schema):
    """A page as Markdown; `language`: that of the text, English where there is no Chinese; `isOwn`: the tenant wrote
    it; `version`: null for a shipped page."""

    name: str
    title: str
    text: str
    language: Language
    is_own: bool = False
    version: HelpVersion | None = None


class HelpSearchRequest(Schema):
    """`text`: a part of a title or a text, in either case."""

    text: str = Field(min_length=1, max_length=100, pattern=r"\S")


class HelpHit(Schema):
    """A page that was found. `section`: the heading that it stands under."""

    name: str
    title: str
    section: str


class HelpFound(Schema):
    """The pages found, titles first. `more`: there are further ones."""

    hits: list[HelpHit]
    more: bool
