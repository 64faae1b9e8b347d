"""The versions of an article, and how two of its texts differ."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from sqlalchemy import select

from zcbus.control.features.help import articles
from zcbus.control.features.help.article_schemas import (
    VERSIONS,
    ArticleComparison,
    ArticleLine,
    ArticleVersionPageRequest,
    ArticleVersionRecord,
)
from zcbus.control.features.help.documents import find_documents
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import Listing
from zcbus.control.store.tables.article import article_version

_AROUND = 3
"""Lines that are shown before and behind a difference."""


def listing(call: Call, request: ArticleVersionPageRequest) -> Listing[ArticleVersionRecord]:
    """The newest first. Raises DocumentUnknownError."""
    row = articles.find(call, request.name)
    shown = (column for column in article_version.c if column.name not in ("article_id", "zh", "en"))
    statement = select(*shown).where(article_version.c.article_id == row.id)
    return Listing(VERSIONS, statement, [article_version.c.number.desc()], ArticleVersionRecord.of_row)


def compare(call: Call, asked: ArticleComparison) -> list[ArticleLine]:
    """Line by line; empty: they are the same. Raises DocumentUnknownError."""
    before, after = (_lines(call, asked.name, number, asked.language) for number in (asked.before, asked.after))
    return list(_difference(before, after)) if before != after else []


def _lines(call: Call, name: str, number: int | None, language: Language) -> list[str]:
    if number == 0:
        return find_documents().text(name, language).splitlines()
    row = articles.find(call, name)
    chosen = row if number is None else articles.version(call, row.id, number, name)
    text: str = chosen.zh if language == "zh" else chosen.en
    return text.splitlines()


def _difference(before: list[str], after: list[str]) -> Iterator[ArticleLine]:
    for kind, first, last, begin, end in SequenceMatcher(None, before, after).get_opcodes():
        if kind == "equal":
            yield from _same(before[first:last], is_first=first == 0, is_last=last == len(before) and end == len(after))
        else:
            yield from (ArticleLine(kind="removed", text=line) for line in before[first:last])
            yield from (ArticleLine(kind="added", text=line) for line in after[begin:end])


def _same(lines: list[str], *, is_first: bool, is_last: bool) -> Iterator[ArticleLine]:
    head, tail = (0 if is_first else _AROUND), (0 if is_last else _AROUND)
    skipped = max(0, len(lines) - head - tail)
    shown = (lines[:head], lines[len(lines) - tail :]) if skipped else (lines, [])
    yield from (ArticleLine(kind="same", text=line) for line in shown[0])
    if skipped:
        yield ArticleLine(kind="skipped", text="", skipped=skipped)
    yield from (ArticleLine(kind="same", text=line) for line in shown[1])
