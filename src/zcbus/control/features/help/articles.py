"""The life of an article: written, published as a version, changed, withdrawn, deleted.

A text of a shipped page's name is read in its place; the shipped page stays as it is, and comes back with each release.
"""

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, func, select, update

from zcbus.control.features.help.article_schemas import (
    MAX_TITLE,
    ArticleChange,
    ArticleDraft,
    ArticlePageRequest,
    ArticlePlace,
    ArticlePublication,
    ArticleRecord,
    ArticleRestore,
    ArticleRevision,
    ArticleTexts,
)
from zcbus.control.features.help.documents import Documents, find_documents, title_of
from zcbus.control.features.help.errors import (
    ArticleChangedError,
    ArticleEmptyError,
    ArticlesFullError,
    ArticleShippedError,
    ArticleVersionsFullError,
    DocumentUnknownError,
)
from zcbus.control.features.recycle_bin.service import recycle
from zcbus.control.platform.call import Call
from zcbus.control.store.tables.article import article, article_version
from zcbus.control.store.tables.identity import tenant
from zcbus.kit.ids import new_id

OWN = "own/"
"""Names of own articles begin so."""
MAX_ARTICLES, MAX_VERSIONS = 500, 200
_MAX_SLUG = 60


def listing(call: Call, request: ArticlePageRequest) -> Iterator[ArticleRecord]:
    """In the order in which readers find them; drafts of equal places by name."""
    documents, text = find_documents(), request.search.strip().casefold()
    rows = {row.name: row for row in call.connection.execute(select(article).where(_own(call)))}
    own = sorted(rows.keys() - set(documents.names), key=lambda name: (rows[name].place, name))
    first, last = ([name for name in own if rows[name].before_shipped is before] for before in (True, False))
    for name in (*first, *documents.names, *last):
        row = rows.get(name)
        found = record(documents, name, row)
        texts = (found.title_zh, found.title_en, *_texts(documents, name, row))
        is_asked = (request.origin in (None, found.origin)) and (found.outdated or not request.outdated)
        if is_asked and (not text or any(text in one.casefold() for one in texts)):
            yield found


def get(call: Call, name: str) -> ArticleDraft:
    """Raises DocumentUnknownError."""
    documents = find_documents()
    row = _row(call, name)
    if row is None and name not in documents.names:
        raise DocumentUnknownError(name=name)
    return ArticleDraft(
        **record(documents, name, row).model_dump(),
        zh=row.zh if row is not None else "",
        en=row.en if row is not None else "",
        shipped_zh=documents.text(name, "zh"),
        shipped_en=documents.text(name, "en"),
        shipped=documents.digest(name),
    )


def add(call: Call, given: ArticleTexts) -> ArticleRecord:
    """An own article. Raises ArticleEmptyError, ArticlesFullError."""
    name = _free_name(call, title_of(given.en) or title_of(given.zh))
    return _insert(call, name, given, "")


def edit(call: Call, given: ArticleChange) -> ArticleRecord:
    """Set the draft; the first one of a shipped page, too. Raises DocumentUnknownError, ArticleChangedError,
    ArticleEmptyError, ArticlesFullError."""
    row, documents = _row(call, given.name), find_documents()
    if row is None and given.name not in documents.names:
        raise DocumentUnknownError(name=given.name)
    if row is None:
        if given.revision:
            raise ArticleChangedError(name=given.name)
        return _insert(call, given.name, given, given.shipped)
    shipped = given.shipped if given.name in documents.names else ""
    return _change(call, given, changed=True, shipped=shipped, **_values(given))


def publish(call: Call, given: ArticlePublication) -> ArticleRecord:
    """Make the draft the version that readers see; a draft that is no other than the last version makes none. Raises
    DocumentUnknownError, ArticleChangedError, ArticleVersionsFullError."""
    row = find(call, given.name)
    newest = call.connection.execute(
        select(func.max(article_version.c.number)).where(article_version.c.article_id == row.id)
    ).scalar_one()
    number = newest or 0
    # The revision refuses the second of two who publish at once.
    done = _change(call, given, changed=False, published=number + row.changed)
    if row.changed:
        if number >= MAX_VERSIONS:
            raise ArticleVersionsFullError(name=given.name, most=MAX_VERSIONS)
        kept = {name: getattr(row, name) for name in ("zh", "en", "title_zh", "title_en")}
        made = {"created_by": call.principal.user_name[:50], "created_at": call.services.clock.now()}
        call.connection.execute(
            article_version.insert().values(article_id=row.id, number=number + 1, note=given.note, **kept, **made)
        )
    return done


def withdraw(call: Call, given: ArticleRevision) -> ArticleRecord:
    """Show it to no reader: the shipped page is read again. Raises DocumentUnknownError, ArticleChangedError."""
    find(call, given.name)
    return _change(call, given, published=None)


def place(call: Call, given: ArticlePlace) -> ArticleRecord:
    """Where readers find an own article, at once. Raises ArticleShippedError, DocumentUnknownError,
    ArticleChangedError."""
    if given.name in find_documents().names:
        raise ArticleShippedError(name=given.name)
    find(call, given.name)
    return _change(call, given, before_shipped=given.before_shipped, place=given.place)


def restore(call: Call, given: ArticleRestore) -> ArticleRecord:
    """Make a version the draft. Raises DocumentUnknownError, ArticleChangedError."""
    row = version(call, find(call, given.name).id, given.number, given.name)
    texts = {name: getattr(row, name) for name in ("zh", "en", "title_zh", "title_en")}
    return _change(call, given, changed=True, **texts)


def remove(call: Call, row: Row[Any]) -> None:
    """Move an article with its versions into the recycle bin."""
    recycle(call, "article", row.id)


def find(call: Call, name: str) -> Row[Any]:
    """The draft of an article. Raises DocumentUnknownError."""
    row = _row(call, name)
    if row is None:
        raise DocumentUnknownError(name=name)
    return row


def version(call: Call, article_id: str, number: int, name: str) -> Row[Any]:
    """Raises DocumentUnknownError."""
    chosen = (article_version.c.article_id == article_id) & (article_version.c.number == number)
    row = call.connection.execute(select(article_version).where(chosen)).first()
    if row is None:
        raise DocumentUnknownError(name=f"{name} ({number})")
    return row


def record(documents: Documents, name: str, row: Row[Any] | None) -> ArticleRecord:
    """A page, with the tenant's draft if it has one."""
    is_shipped = name in documents.names
    title_zh, title_en = (title_of(documents.text(name, "zh")), title_of(documents.text(name, "en")))
    if row is None:
        return ArticleRecord(
            name=name,
            title_zh=title_zh,
            title_en=title_en,
            origin="shipped",
            published=None,
            changed=False,
            outdated=False,
            revision=0,
            updated_by="",
            updated_at=None,
            before_shipped=False,
            place=0,
        )
    return ArticleRecord(
        name=name,
        title_zh=row.title_zh or title_zh,
        title_en=row.title_en or title_en,
        origin="edited" if is_shipped else "own",
        published=row.published,
        changed=row.changed,
        outdated=is_shipped and row.shipped != documents.digest(name),
        revision=row.revision,
        updated_by=row.updated_by,
        updated_at=row.updated_at,
        before_shipped=row.before_shipped,
        place=row.place,
    )


def _own(call: Call) -> Any:
    """Also for those who span tenants: a name belongs to one tenant."""
    return article.c.tenant_id == call.principal.tenant_id


def _row(call: Call, name: str) -> Row[Any] | None:
    return call.connection.execute(select(article).where(_own(call), article.c.name == name)).first()


def _texts(documents: Documents, name: str, row: Row[Any] | None) -> Iterator[str]:
    for language in ("zh", "en"):
        yield (getattr(row, language) if row is not None else "") or documents.text(name, language)


def _insert(call: Call, name: str, given: ArticleTexts, shipped: str) -> ArticleRecord:
    tenant_id = call.principal.tenant_id
    # Two that are written at once are counted one after the other.
    call.connection.execute(select(tenant.c.id).where(tenant.c.id == tenant_id).with_for_update())
    if _row(call, name) is not None:
        raise ArticleChangedError(name=name)
    count = call.connection.execute(select(func.count()).select_from(article).where(_own(call))).scalar_one()
    if count >= MAX_ARTICLES:
        raise ArticlesFullError(most=MAX_ARTICLES)
    values = {"id": new_id(), "tenant_id": tenant_id, "name": name, "shipped": shipped, "revision": 1, "changed": True}
    call.connection.execute(article.insert().values(**values, **_values(given), **_author(call)))
    return record(find_documents(), name, find(call, name))


def _change(call: Call, given: ArticleRevision, **values: Any) -> ArticleRecord:
    """Raises ArticleChangedError: another author was first."""
    chosen = (_own(call), article.c.name == given.name, article.c.revision == given.revision)
    values |= {"revision": given.revision + 1, **_author(call)}
    if not call.connection.execute(update(article).where(*chosen).values(**values)).rowcount:
        raise ArticleChangedError(name=given.name)
    return record(find_documents(), given.name, find(call, given.name))


def _values(given: ArticleTexts) -> dict[str, str]:
    if not given.zh.strip() and not given.en.strip():
        raise ArticleEmptyError
    zh, en = (text if text.strip() else "" for text in (given.zh, given.en))
    return {"zh": zh, "en": en, "title_zh": title_of(zh)[:MAX_TITLE], "title_en": title_of(en)[:MAX_TITLE]}


def _author(call: Call) -> dict[str, Any]:
    return {"updated_by": call.principal.user_name[:50], "updated_at": call.services.clock.now()}


def _free_name(call: Call, title: str) -> str:
    slug = re.sub(r"\W+", "-", title.casefold()).strip("-")[:_MAX_SLUG] or "article"
    taken = set(call.connection.execute(select(article.c.name).where(_own(call))).scalars())
    name, number = f"{OWN}{slug}", 1
    while name in taken:
        number += 1
        name = f"{OWN}{slug}-{number}"
    return name
