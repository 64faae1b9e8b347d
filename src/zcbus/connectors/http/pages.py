"""From one answer to the next: what is asked for the next page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from zcbus.connectors.formats.json_text import text_of
from zcbus.connectors.http import paths
from zcbus.connectors.http.client import Answer, HttpRefusal
from zcbus.connectors.http.document import (
    LastRecordPages,
    LinkPages,
    NumberedPages,
    OffsetPages,
    Pages,
    SinglePage,
    TokenPages,
    UrlPages,
)


@dataclass(frozen=True, slots=True)
class Call:
    """Request of one page."""

    place: str
    query: Mapping[str, str]
    body: Mapping[str, Any] | None
    number: int = 0
    """How many pages came before."""
    read: int = 0
    """How many records came before."""


def first_call(pages: Pages, call: Call) -> Call:
    """With what asks for the first page."""
    if isinstance(pages, SinglePage | LinkPages | UrlPages):
        return call
    asked: dict[str, object] = {pages.size_param: pages.size} if pages.size_param else {}
    if isinstance(pages, NumberedPages):
        asked[pages.param] = pages.first
    if isinstance(pages, OffsetPages):
        asked[pages.param] = 0
    return _with(call, pages.place, asked)


def next_call(pages: Pages, call: Call, answer: Answer, records: list[Any]) -> Call | None:
    """None: that was the last page."""
    behind = replace(call, number=call.number + 1, read=call.read + len(records))
    match pages:
        case SinglePage():
            return None
        case LinkPages():
            return _at(behind, answer, answer.links.get("next"))
        case UrlPages(path=path):
            return _at(behind, answer, paths.first(answer.value, path))
        case NumberedPages() | OffsetPages():
            place = pages.first + behind.number if isinstance(pages, NumberedPages) else behind.read
            return None if len(records) < pages.size else _with(behind, pages.place, {pages.param: place})
        case TokenPages() | LastRecordPages():
            mark = _mark(pages, answer, records)
            return _with(behind, pages.place, {pages.param: mark}) if mark else None


def _mark(pages: TokenPages | LastRecordPages, answer: Answer, records: list[Any]) -> str | None:
    if pages.more is not None and not paths.first(answer.value, pages.more):
        return None
    if isinstance(pages, TokenPages):
        return text_of(paths.first(answer.value, pages.path))
    is_last = not records or (pages.more is None and len(records) < pages.size)
    return None if is_last else text_of(paths.first(records[-1], pages.path))


def _at(call: Call, answer: Answer, url: object) -> Call | None:
    if not isinstance(url, str) or not url:
        return None
    try:
        return replace(call, place=urljoin(answer.url, url), query={})
    except ValueError as error:
        raise HttpRefusal(0, "the next page has no URL") from error


def _with(call: Call, place: str, values: Mapping[str, object]) -> Call:
    if place == "body":
        return replace(call, body={**(call.body or {}), **values})
    return replace(call, query={**call.query, **{name: str(value) for name, value in values.items()}})
