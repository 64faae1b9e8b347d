"""Requests and answers of articles as their authors see them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from zcbus.connectors.options import PLAIN_TEXT
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.help.documents import title_of
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema

MAX_LENGTH = 100_000
MAX_LINES = 5_000
MAX_PLACE = 999
MAX_TITLE = 200
"""Characters."""


def _article_text(value: str) -> str:
    if value.count("\n") >= MAX_LINES:
        raise field_fault("article-lines")
    if value.strip() and not 0 < len(title_of(value).strip()) <= MAX_TITLE:
        raise field_fault("article-title")
    return value


ArticleText = Annotated[str, Field(max_length=MAX_LENGTH), AfterValidator(_article_text)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
ArticleOrigin = Literal["shipped", "edited", "own"]
"""`edited`: a text of the tenant in a shipped page's place."""


class ArticlePageRequest(PageRequest):
    """`search`: a part of a title or a text; `origin`: only these; `outdated`: only edited ones whose shipped page is
    newer."""

    search: str = Field("", max_length=100)
    origin: ArticleOrigin | None = None
    outdated: bool = False


class ArticleRecord(Schema):
    """An article. `titleZh`, `titleEn`: of the draft, else of the shipped page; `published`: number of the version that
    readers see; `changed`: the draft has what no version has; `outdated`: the shipped page has changed since the author
    saw it; `revision`: 0: there is no draft; `beforeShipped`, `place`: where readers find an own one."""

    name: str
    title_zh: str
    title_en: str
    origin: ArticleOrigin
    published: int | None
    changed: bool
    outdated: bool
    revision: int
    updated_by: str
    updated_at: datetime | None
    before_shipped: bool
    place: int


class ArticleChoice(Schema):
    name: Name


class ArticleDraft(ArticleRecord):
    """An article with its draft; empty: the shipped text is read. `shippedZh`, `shippedEn`: the shipped page, empty
    where there is none, and `shipped` its digest."""

    zh: str
    en: str
    shipped_zh: str
    shipped_en: str
    shipped: str


class ArticleTexts(Schema):
    """Markdown of both languages, each with a heading of the first level; one may be empty."""

    zh: ArticleText = ""
    en: ArticleText = ""


class ArticleRevision(ArticleChoice):
    """`revision`: of the draft that the author saw; 0: none."""

    revision: int = Field(ge=0)


class ArticleChange(ArticleRevision, ArticleTexts):
    """The whole draft. `shipped`: digest of the shipped page that the author saw."""

    shipped: str = Field("", max_length=64)


class ArticlePublication(ArticleRevision):
    """`note`: what has changed."""

    note: str = Field("", max_length=200, pattern=PLAIN_TEXT)


class ArticlePlace(ArticleRevision):
    """Where readers find an own article: before or behind the shipped pages; of several, the lowest `place` first, then
    by title."""

    before_shipped: bool
    place: int = Field(ge=0, le=MAX_PLACE)


class ArticleDeletion(ArticleChoice, DeletionProof):
    """The article to delete."""


class ArticleVersionPageRequest(PageRequest):
    name: Name


class ArticleVersionRecord(Schema):
    """A version; it never changes."""

    number: int
    title_zh: str
    title_en: str
    note: str
    created_by: str
    created_at: datetime


class ArticleRestore(ArticleRevision):
    number: int = Field(ge=1)


class ArticleComparison(ArticleChoice):
    """`before`, `after`: numbers of versions; 0: the shipped page; null: the draft."""

    language: Language
    before: int | None = Field(None, ge=0)
    after: int | None = Field(None, ge=0)


class ArticleLine(Schema):
    """A line of a difference. `skipped`: that many lines that are the same, instead of a text."""

    kind: Literal["same", "added", "removed", "skipped"]
    text: str
    skipped: int = 0


ARTICLES = ListDefinition[ArticleRecord](
    ArticleRecord,
    sort_keys={
        "name": lambda one: one.name,
        "titleZh": lambda one: one.title_zh,
        "titleEn": lambda one: one.title_en,
        "updatedAt": lambda one: one.updated_at.timestamp() if one.updated_at else 0.0,
    },
)
VERSIONS = ListDefinition[ArticleVersionRecord](
    ArticleVersionRecord, columns={"number": "number", "createdAt": "created_at"}
)
