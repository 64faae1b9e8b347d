"""Guesses how an operation pages: OpenAPI does not state it. From names of parameters, of members and of headers."""

from collections.abc import Iterator, Mapping
from typing import Any

from zcbus.connectors.http import paths
from zcbus.connectors.http.openapi.description import Description, Json, as_object, type_of

_SIZES = ("per_page", "perpage", "page_size", "pagesize", "limit", "max_results", "maxresults", "count", "size", "top")
_NUMBERS = ("page", "page_number", "pagenumber", "page_no", "pageno", "pageindex", "current")
_OFFSETS = ("offset", "skip", "start", "startat")
_CURSORS = ("cursor", "page_token", "pagetoken", "next_token", "nexttoken", "after", "continuation_token", "marker")
_MARKS = ("next_cursor", "nextcursor", "next_page_token", "nextpagetoken", "next_token", "nexttoken", "after", "cursor")
_URLS = ("next", "next_url", "nexturl", "next_page_url", "nextlink", "next_link", "@odata.nextlink")
_MORE = ("has_more", "hasmore", "more")
_LINK_SIZE = 100
_DEEPEST = 3


def guess(
    description: Description, parameters: Mapping[str, Json], answer: Json, headers: Json, key: str
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """`pages` of a resource (None: no paging was recognised), and parameters of its query. `parameters`: schemas of the
    query's parameters; `answer`: schema of the answer; `headers`: those of the answer; `key`: the record's key."""
    asked = {name.lower(): name for name in parameters}
    size = _first(asked, _SIZES)
    limit = _maximum(parameters[size]) if size else None
    fixed = {size: str(limit or _LINK_SIZE)} if size else {}
    if any(str(name).lower() == "link" for name in headers):
        return {"type": "link-header"}, fixed
    members = list(_members(description, answer, ()))
    cursor, mark = _first(asked, _CURSORS), _member(members, _MARKS)
    url = _member(members, _URLS)
    if url is not None and (cursor is None or mark is None):
        return {"type": "next-url", "path": paths.written(url)}, fixed
    more = _member(members, _MORE)
    has_more = {"more": paths.written(more)} if more else {}
    if cursor is not None and mark is not None:
        return {"type": "cursor", "param": cursor, "path": paths.written(mark), **has_more}, fixed
    if more is not None and (after := _first(asked, ("starting_after",))):
        return {"type": "last-record", "param": after, "path": paths.written((key,)), **has_more}, fixed
    return _counted(parameters, asked, size, limit, fixed)


def _counted(
    parameters: Mapping[str, Json], asked: Mapping[str, str], size: str | None, limit: int | None, fixed: dict[str, str]
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    number, offset = _first(asked, _NUMBERS), _first(asked, _OFFSETS)
    if number is None and offset is None:
        return None, {}
    # A page of fewer records than requested is the last one. A service that silently returns fewer than asked for would
    # lose the rest: unless its maximum is stated, only an empty page is the last.
    sized = {"size_param": size, "size": limit} if size and limit else {"size": 1}
    query = {} if "size_param" in sized else fixed
    if number is not None:
        return {"type": "page", "param": number, "first": _begin(parameters[number]), **sized}, query
    return {"type": "offset", "param": offset, **sized}, query


def _first(asked: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((asked[name] for name in names if name in asked), None)


def _member(members: list[tuple[str, ...]], names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The scalar member with the first of the names."""
    by_name = {steps[-1].lower(): steps for steps in reversed(members)}
    links = next((steps for steps in members if len(steps) > 1 and steps[-2:] == ("next", "href")), None)
    return links if names is _URLS and links else next((by_name[name] for name in names if name in by_name), None)


def _members(description: Description, schema: Json, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if type_of(schema) != "object" or len(above) >= _DEEPEST:
        return
    for name, part in description.properties(schema):
        if type_of(part) == "object":
            yield from _members(description, part, (*above, name))
        elif type_of(part) != "array":
            yield (*above, name)


def _maximum(schema: Json) -> int | None:
    stated = schema.get("maximum")
    return stated if isinstance(stated, int) and 1 <= stated <= 100_000 else None


def _begin(schema: Json) -> int:
    stated = [as_object(schema).get(word) for word in ("minimum", "default")]
    return 0 if 0 in stated else 1
