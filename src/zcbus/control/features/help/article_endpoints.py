"""Calls of articles: written as drafts, published as versions."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.help import articles, versions
from zcbus.control.features.help.article_schemas import (
    ARTICLES,
    VERSIONS,
    ArticleChange,
    ArticleChoice,
    ArticleComparison,
    ArticleDeletion,
    ArticleDraft,
    ArticleLine,
    ArticlePageRequest,
    ArticlePlace,
    ArticlePublication,
    ArticleRecord,
    ArticleRestore,
    ArticleRevision,
    ArticleTexts,
    ArticleVersionPageRequest,
    ArticleVersionRecord,
)
from zcbus.control.features.help.reading import MENU_KEY
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page, page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("article")

_EDIT = authorise(MENU_KEY, Operation.EDIT)
_PUBLISH = authorise(MENU_KEY, Operation.OPERATE)
_BASE = "/api/zcbus/resource/article"


@api.read(f"{_BASE}/page", _EDIT, lists=ARTICLES)
def page(call: Call, body: ArticlePageRequest) -> Page[ArticleRecord]:
    """Shipped pages and the tenant's articles, drafts too."""
    return page_of(articles.listing(call, body), body, ARTICLES)


@api.read(f"{_BASE}/get", _EDIT)
def get(call: Call, body: ArticleChoice) -> ArticleDraft:
    """The draft of an article, and the shipped page of its name."""
    return articles.get(call, body.name)


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add(call: Call, body: ArticleTexts) -> ArticleRecord:
    """Write an own article. No reader sees it until it is published."""
    return _noted(call, articles.add(call, body))


@api.change(f"{_BASE}/edit", _EDIT)
def edit(call: Call, body: ArticleChange) -> ArticleRecord:
    """Change the draft of an article, or begin one for a shipped page. Readers see what was published."""
    return _noted(call, articles.edit(call, body))


@api.change(f"{_BASE}/publish", _PUBLISH)
def publish(call: Call, body: ArticlePublication) -> ArticleRecord:
    """Show the draft to all readers, as a new version."""
    return _noted(call, articles.publish(call, body))


@api.change(f"{_BASE}/withdraw", _PUBLISH)
def withdraw(call: Call, body: ArticleRevision) -> ArticleRecord:
    """Show an article to no reader; the shipped page is read again."""
    return _noted(call, articles.withdraw(call, body))


@api.change(f"{_BASE}/place", _PUBLISH)
def place(call: Call, body: ArticlePlace) -> ArticleRecord:
    """Set where readers find an own article among the others."""
    return _noted(call, articles.place(call, body))


@api.read(f"{_BASE}/version/page", _EDIT, lists=VERSIONS)
def page_versions(call: Call, body: ArticleVersionPageRequest) -> Page[ArticleVersionRecord]:
    """The versions of an article."""
    return answer_page(call, body, versions.listing(call, body))


@api.read(f"{_BASE}/version/compare", _EDIT)
def compare_versions(call: Call, body: ArticleComparison) -> list[ArticleLine]:
    """How two texts of an article differ."""
    return versions.compare(call, body)


@api.change(f"{_BASE}/version/restore", _EDIT)
def restore_version(call: Call, body: ArticleRestore) -> ArticleRecord:
    """Make a version the draft."""
    return _noted(call, articles.restore(call, body))


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: ArticleDeletion) -> None:
    """Move an article with its versions into the recycle bin; the shipped page is read again. Codes 40104 and 40105
    speak of the captcha."""
    confirm_deletion(call, body)
    row = articles.find(call, body.name)
    call.audit.subject, call.audit.before, call.audit.after = row.name, {"published": row.published}, None
    articles.remove(call, row)


def _noted(call: Call, done: ArticleRecord) -> ArticleRecord:
    """In the operation log, without the texts: versions have them."""
    call.audit.subject, call.audit.after = done.name, done.model_dump(mode="json", by_alias=True)
    return done
