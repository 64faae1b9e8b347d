"""A timeline as one list, and its entries as text."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select, union_all

from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.timeline.schemas import ENTRIES, EntryKind, Look, TimelineEntry, TimelinePageRequest
from zcbus.control.features.timeline.scope import Scope
from zcbus.control.features.timeline.sources import (
    AGENT_DEPLOYED,
    CONTROL_PLANE_DEPLOYED,
    ENDED,
    STARTED,
    Source,
    contains,
    sources,
)
from zcbus.control.platform.action_titles import action_title, actions_titled
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.service_kinds import SERVICE_KINDS

_OWN_CODES = ("load", "schema", "plan", STARTED, ENDED, AGENT_DEPLOYED, CONTROL_PLANE_DEPLOYED)
_ORDERLY = "exit 0"
_ENDS = {"exit", "signal"}
"""How agents say that a process ended, before the number."""
_GOOD = ("act.done", "load.finished", "plan.succeeded", "schema.followed", "recovery.over")
_BAD = ("act.failed", "load.failed", "plan.failed", "schema.stopped", "alert.open")
_WARNING = (
    *("act.begun", "load.interrupted", "load.cancelled", "schema.skipped", "alert.over"),
    *("plan.partial", "plan.timed-out", "plan.missed"),
)
_COLOURS: Sequence[tuple[Look, Sequence[str]]] = (("good", _GOOD), ("bad", _BAD), ("warning", _WARNING))


def listing(call: Call, scope: Scope, request: TimelinePageRequest) -> Listing[TimelineEntry]:
    """The entries that the request leaves, the newest first."""
    texts = ReasonTexts.of(call)
    codes = _codes(texts, request.search.strip())
    found = union_all(
        *(
            source.select(*_conditions(source, request, codes))
            for source in sources(call.principal, scope)
            if not request.kinds or source.kind in request.kinds
        )
    ).subquery()
    statement: Select[Any] = select(found)
    usual = [found.c.at.desc(), found.c.id.desc(), found.c.code]
    return Listing(ENTRIES, statement, usual, _entry(call, texts))


def _conditions(source: Source, request: TimelinePageRequest, codes: Sequence[str]) -> list[ColumnElement[bool]]:
    at, conditions = source.columns["at"], []
    if request.since is not None:
        conditions.append(at >= request.since)
    if request.until is not None:
        conditions.append(at < request.until)
    if request.search.strip():
        conditions.append(contains(source, request.search.strip(), codes))
    return conditions


def _codes(texts: ReasonTexts, search: str) -> list[str]:
    """Codes of what is called so in either language or in the caller's."""
    wanted = search.casefold()
    if not wanted:
        return []
    own = {code: texts.named(f"timeline.{code}", "") for code in _OWN_CODES}
    alerts = {kind.value: texts.named(f"alert.{kind.value}", "") for kind in Kind}
    return [*actions_titled(search), *(code for code, text in {**own, **alerts}.items() if wanted in text.casefold())]


def _entry(call: Call, texts: ReasonTexts) -> Callable[[Row[Any]], TimelineEntry]:
    def of_row(row: Row[Any]) -> TimelineEntry:
        kind = EntryKind(row.kind)
        result = _result(kind, row)
        return TimelineEntry(
            id=row.id,
            at=row.at,
            kind=kind,
            title=_title(call, texts, kind, row),
            subject=row.subject or "",
            who=row.who,
            result=result,
            outcome=_outcome(texts, kind, result),
            look=_look(kind, result),
            reason=texts.record(row.reason or ({"code": row.error, "facts": {}} if row.error else None)),
            until=row.until,
            place=row.place,
        )

    return of_row


def _title(call: Call, texts: ReasonTexts, kind: EntryKind, row: Row[Any]) -> str:
    if kind is EntryKind.ACT:
        return action_title(call.language, row.code)
    if kind in (EntryKind.ALERT, EntryKind.RECOVERY):
        content: str = row.content or texts.text(f"alert.{row.code}", {"owner": "link", **row.facts})
        return content
    if kind is EntryKind.PROCESS:
        return texts.text(f"timeline.{row.code}", {"service": _service(call, row.content)})
    if kind is EntryKind.DEPLOYMENT:
        return texts.text(f"timeline.{row.code}", {"version": row.content})
    return texts.text(f"timeline.{row.code}", {})


def _service(call: Call, name: str) -> str:
    """A link's services have its name, so an entry says which one it is."""
    kind = SERVICE_KINDS.get(name)
    if kind is None:
        return name
    return kind.title_en if call.language == "en" else kind.title_zh


def _result(kind: EntryKind, row: Row[Any]) -> str:
    if kind is EntryKind.ALERT:
        return "open" if row.until is None else "over"
    return "over" if kind is EntryKind.RECOVERY else row.result or ""


def _outcome(texts: ReasonTexts, kind: EntryKind, result: str) -> str:
    if kind is EntryKind.PROCESS:
        how, _, number = result.partition(" ")
        return texts.text(f"timeline.process.{how}", {"number": number}) if how in _ENDS else result
    if kind is EntryKind.DEPLOYMENT:
        return texts.text("timeline.deployment.previous", {"version": result}) if result else ""
    group = EntryKind.ALERT if kind is EntryKind.RECOVERY else kind
    return texts.named(f"timeline.{group}.{result}", result)


def _look(kind: EntryKind, result: str) -> Look:
    if kind is EntryKind.PROCESS:
        return "quiet" if result in ("", _ORDERLY) else "bad"
    return next((look for look, results in _COLOURS if f"{kind}.{result}" in results), "quiet")
