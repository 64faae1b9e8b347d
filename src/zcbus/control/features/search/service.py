"""The search itself."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.help import reading
from zcbus.control.features.search.kinds import SEARCHED, SearchedKind
from zcbus.control.features.search.schemas import HitKind, SearchGroup, SearchHit, SearchRequest
from zcbus.control.platform.action_titles import action_title
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import Language
from zcbus.control.platform.principal import Operation, Principal


def search(call: Call, request: SearchRequest) -> list[SearchGroup]:
    """The visible objects whose names contain the text, by kind; kinds without a hit are left out."""
    text, wanted = request.text.strip(), set(request.kinds)
    groups = [
        _found(call, kind, searched, text, request.limit)
        for kind, searched in SEARCHED.items()
        if (not wanted or kind in wanted) and _may_see(call.principal, searched.menu_keys)
    ]
    if (not wanted or "article" in wanted) and _may_see(call.principal, (reading.MENU_KEY,)):
        groups.append(_articles(call, text, request.limit))
    return [group for group in groups if group.hits]


def _may_see(principal: Principal, menu_keys: Sequence[str]) -> bool:
    return any(principal.may(key, Operation.VIEW) for key in menu_keys)


def _found(call: Call, kind: HitKind, searched: SearchedKind, text: str, limit: int) -> SearchGroup:
    rows = call.connection.execute(searched.hits(call.principal, text, limit + 1)).all()
    best = rows[:limit]
    if not searched.newest_first:
        # The store orders by rank alone, so equal ranks come in any order.
        best = sorted(best, key=lambda row: (_rank(row.name, text), row.name, row.within or ""))
    to_hit = partial(_operation, call.language) if kind == "operation" else partial(_hit, searched)
    return SearchGroup(kind=kind, hits=[to_hit(row) for row in best], more=len(rows) > limit)


def _articles(call: Call, text: str, limit: int) -> SearchGroup:
    """Most of them are no rows of the store."""
    found = reading.search(call, text, limit + 1, titles_only=True)
    hits = [SearchHit(id=one.name, name=one.title, within=one.section, details={}) for one in found[:limit]]
    return SearchGroup(kind="article", hits=hits, more=len(found) > limit)


def _hit(searched: SearchedKind, row: Row[Any]) -> SearchHit:
    details = {name: str(getattr(row, name)) for name in searched.details}
    return SearchHit(id=row.id, name=row.name or "", within=row.within or "", details=details)


def _operation(language: Language, row: Row[Any]) -> SearchHit:
    """An operation without an object is named by its action."""
    title = action_title(language, row.action)
    within = [part for part in (row.within, title if row.name else None) if part]
    return SearchHit(
        id=row.id,
        name=row.name or title,
        within=" · ".join(within),
        details={"result": row.result},
        at=row.at,
    )


def _rank(name: str, text: str) -> tuple[bool, int]:
    """The rank of `kinds`."""
    return not name.lower().startswith(text.lower()), len(name)
