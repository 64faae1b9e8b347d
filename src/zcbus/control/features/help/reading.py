"""What readers see: published texts of their tenant, else the shipped pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, select

from zcbus.control.features.help.documents import find_documents
from zcbus.control.features.help.errors import DocumentUnknownError
from zcbus.control.features.help.schemas import HelpPage, HelpPageTitle, HelpSection, HelpVersion
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.language import Language
from zcbus.control.platform.principal import Operation
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.article import article, article_version

PICTURE = "picture/"
"""Addresses of pictures in articles begin so; the id of an upload follows."""
MENU_KEY = "resource/article"


@dataclass(frozen=True, slots=True)
class ArticleHit:
    name: str
    title: str
    section: str


def contents(call: Call) -> list[HelpSection]:
    """Shipped pages by section, with the tenant's titles; its own articles before or behind them, by place."""
    own = {row.name: row for row in call.connection.execute(_published(call, (*_TITLES, *_PLACE)))}
    sections = find_documents().contents(call.language)
    for section in sections:
        for page in section.pages:
            if (row := own.pop(page.name, None)) is not None:
                page.title = _title(row, call.language)
    first, last = (_own_section(call, own.values(), before) for before in (True, False))
    return [*first, *sections, *last]


def page(call: Call, name: str) -> HelpPage:
    """A page in the caller's language where there is one. Raises DocumentUnknownError."""
    row = call.connection.execute(_published(call, _ALL).where(article.c.name == name)).first()
    documents, language = find_documents(), call.language
    shipped = documents.page(name, language) if name in documents.names else None
    if row is None:
        if shipped is None:
            raise DocumentUnknownError(name=name)
        return shipped
    other: Language = "en" if language == "zh" else "zh"
    if shipped is not None and not _text(row, language) and shipped.language == language:
        return shipped
    chosen = language if _text(row, language) else other
    return HelpPage(
        name=name,
        title=_title(row, chosen),
        text=_text(row, chosen),
        language=chosen,
        is_own=True,
        version=HelpVersion(number=row.number, published_at=row.created_at, published_by=row.created_by, note=row.note),
    )


def search(call: Call, text: str, limit: int, *, titles_only: bool = False) -> list[ArticleHit]:
    """Pages whose text contains the text, shipped ones in the caller's language; hits in titles first."""
    hits = sorted(
        _found(call, text, titles_only), key=lambda one: (text.casefold() not in one.title.casefold(), one.title)
    )
    return hits[:limit]


def picture(call: Call, upload_id: str) -> Row[Any]:
    """A picture of an article that the caller may read. Raises RecordNotFoundError."""
    with call.services.database.read() as store:
        row = uploads.find_ready(store, call.principal, upload_id)
        address = f"{PICTURE}{row.id}"
        shown = _published(call, (article.c.id,)).where(
            any_contains((article_version.c.zh, article_version.c.en), address)
        )
        is_read = call.principal.may(MENU_KEY, Operation.EDIT) or store.execute(shown.limit(1)).first() is not None
    if row.purpose != "picture" or row.tenant_id != call.principal.tenant_id or not is_read:
        raise RecordNotFoundError(kind="upload", id=upload_id)
    return row


_TITLES = (article.c.name, article_version.c.title_zh, article_version.c.title_en)
_PLACE = (article.c.before_shipped, article.c.place)
_VERSION = tuple(article_version.c[name] for name in ("number", "created_at", "created_by", "note"))
_ALL = (*_TITLES, article_version.c.zh, article_version.c.en, *_VERSION)


def _published(call: Call, columns: Any) -> Select[Any]:
    seen = (article_version.c.article_id == article.c.id) & (article_version.c.number == article.c.published)
    return (
        select(*columns)
        .select_from(article.join(article_version, seen))
        .where(article.c.tenant_id == call.principal.tenant_id)
    )


def _found(call: Call, text: str, titles_only: bool) -> Iterator[ArticleHit]:
    documents, language = find_documents(), call.language
    own = {row.name: row for row in call.connection.execute(_published(call, _TITLES))}
    searched = (article_version.c.title_zh, article_version.c.title_en)
    if not titles_only:
        searched = (article_version.c.zh, article_version.c.en)
    named = _published(call, (article.c.name,)).where(any_contains(searched, text))
    matching = set(call.connection.execute(named).scalars())
    sections = {name: section for section, names in documents.sections_of(language) for name in names}
    for name, section in sections.items():
        has_own = name in own and bool(getattr(own[name], f"title_{language}"))
        title = _title(own[name], language) if has_own else documents.page(name, language).title
        found = documents.contains(name, language, text, titles_only=titles_only)
        if name in matching or (not has_own and found):
            yield ArticleHit(name, title, section)
    for name in matching - sections.keys():
        yield ArticleHit(name, _title(own[name], language), call.text("article.own"))


def _own_section(call: Call, rows: Iterable[Row[Any]], before_shipped: bool) -> list[HelpSection]:
    """The own articles before, or behind, the shipped pages; no section without one."""
    found = sorted(
        (row.place, _title(row, call.language), row.name) for row in rows if row.before_shipped is before_shipped
    )
    pages = [HelpPageTitle(name=name, title=title) for _, title, name in found]
    return [HelpSection(title=call.text("article.own"), pages=pages)] if pages else []


def _title(row: Row[Any], language: Language) -> str:
    titles = (row.title_zh, row.title_en)
    return str((titles if language == "zh" else titles[::-1])[0] or titles[0] or titles[1])


def _text(row: Row[Any], language: Language) -> str:
    return str(row.zh if language == "zh" else row.en)
