"""Asking the agent of a link or of a channel about its row errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection as StoreConnection

from zcbus.connectors.registry import KINDS
from zcbus.control.features.datasource import connections
from zcbus.control.features.row_error.schemas import (
    CauseListRequest,
    CauseRecord,
    ChannelCauseListRequest,
    ChannelErrorChoice,
    ChannelErrorPageRequest,
    ErrorLimits,
    RowErrorChoice,
    RowErrorDetail,
    RowErrorPageRequest,
    RowErrorRecord,
)
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.subscribe.lookup import find_channel
from zcbus.control.features.subscribe.masters import destination_of
from zcbus.control.features.subscribe.schemas import ChannelChoice
from zcbus.control.features.sync_link import service as links
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.table_orders import order_tables
from zcbus.control.features.table_command.parameters import Limits
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.paging import ALL, ListDefinition, Page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.position import Position
from zcbus.model.row_errors import NOT_APPENDED, Decision, RowError
from zcbus.model.table_verbs import TableVerb
from zcbus.protocol.answers import Decided, RowErrorCauses, RowErrorLines
from zcbus.protocol.base import Connection
from zcbus.protocol.requests import DecideRowErrors, ListRowErrorCauses, ListRowErrors

_MAX_PAGE_SIZE = 10_000
_Choice = LinkChoice | ChannelChoice
ROW_ERRORS = ListDefinition[RowErrorRecord](
    RowErrorRecord, sorted_elsewhere=("found", "changed", "status", "operation", "target", "code", "attempts")
)


@dataclass(frozen=True, slots=True)
class _Subscription:
    """Location of row errors, and the agent to ask. `source_kind`: of the database that the changes came from."""

    destination: Destination
    target: Connection
    channel: str
    source_kind: str


def page_errors(call: Call, request: RowErrorPageRequest | ChannelErrorPageRequest) -> Page[RowErrorRecord]:
    """A page of the row errors. Raises RecordNotFoundError and what `ask` raises."""
    ROW_ERRORS.check(request)
    subscription = _subscription(call, request)
    everything = request.size == ALL
    question = ListRowErrors(
        target=subscription.target,
        subscription=subscription.channel,
        tables=tuple(request.tables or ()),
        statuses=tuple(request.status or ()),
        operations=tuple(request.operation or ()),
        search=request.search or "",
        cause=request.cause or "",
        sort=request.sort or "found",
        descending=request.order != "asc",
        offset=0 if everything else (request.current - 1) * request.size,
        limit=_MAX_PAGE_SIZE if everything else request.size,
    )
    found = ask(call.services, subscription.destination, question, RowErrorLines)
    texts = ReasonTexts.of(call)
    return Page(records=[RowErrorRecord(**_record(line, texts)) for line in found.lines], total=found.total)


def list_causes(call: Call, request: CauseListRequest | ChannelCauseListRequest) -> list[CauseRecord]:
    """Causes of refusals, the most frequent first. Raises what `ask` raises."""
    subscription = _subscription(call, request)
    question = ListRowErrorCauses(
        target=subscription.target,
        subscription=subscription.channel,
        tables=tuple(request.tables or ()),
        statuses=tuple(request.status or ()),
    )
    found = ask(call.services, subscription.destination, question, RowErrorCauses)
    texts = ReasonTexts.of(call)
    return [CauseRecord(cause=one.cause, text=_detail_text(one.cause, texts), count=one.count) for one in found.causes]


def error_detail(call: Call, request: RowErrorChoice | ChannelErrorChoice) -> RowErrorDetail:
    """One row error. Raises RecordNotFoundError."""
    subscription = _subscription(call, request)
    question = ListRowErrors(
        target=subscription.target, subscription=subscription.channel, ids=(request.error,), limit=1
    )
    found = ask(call.services, subscription.destination, question, RowErrorLines).lines
    if not found:
        raise RecordNotFoundError(kind="row-error", id=request.error)
    line = found[0]
    return RowErrorDetail(
        **_record(line, ReasonTexts.of(call)),
        before=line.before,
        after=line.after,
        lacks=list(line.lacks),
        statement=line.statement,
        position=_position(subscription.source_kind, line.position),
        committed_at=None if line.commit_ms is None else _moment(line.commit_ms),
    )


def decide(
    call: Call,
    choice: _Choice,
    errors: Sequence[str],
    tables: Sequence[str],
    decision: Decision,
    after: dict[str, str | None] | None = None,
) -> int:
    """Retry open row errors or give them up. Returns how many. Raises SubscriberOfLinkError for a channel that a link
    controls."""
    subscription = _subscription(call, choice, to_change=True)
    question = DecideRowErrors(
        target=subscription.target,
        subscription=subscription.channel,
        decision=decision,
        ids=tuple(errors),
        tables=tuple(tables),
        after=after,
    )
    return ask(call.services, subscription.destination, question, Decided).count


def set_limits(call: Call, request: ErrorLimits) -> list[TableResult]:
    """Change the error limits of tables. Answers a result per table."""
    limits = Limits(request.error_limit, request.dml_skip, request.ddl_skip)
    return order_tables(call, request, request.tables, TableVerb.LIMIT, limits)


def _subscription(call: Call, choice: _Choice, *, to_change: bool = False) -> _Subscription:
    with call.services.database.read() as connection:
        if isinstance(choice, ChannelChoice):
            return _of_channel(call, connection, choice, to_change)
        link = links.find_link(connection, call.principal, choice)
        call.audit.subject = link.name
        return _Subscription(
            links.link_destination(link, call.services.clock.now()),
            connections.open_stored(connection, call.services.secrets, link.target_id),
            link.channel_id,
            link.source_kind,
        )


def _of_channel(call: Call, connection: StoreConnection, choice: ChannelChoice, to_change: bool) -> _Subscription:
    channel = find_channel(connection, call.principal, choice.channel_id)
    if to_change:
        refuse_of_link(channel)
    call.audit.subject = channel.name
    target = connections.open_stored(connection, call.services.secrets, channel.target_id)
    target = connections.written(target, channel.load_type)
    return _Subscription(destination_of(channel, call.services), target, channel.id, channel.source_kind)


_COPIED = ("id", "table", "target", "operation", "status", "key", "code", "detail", "blocking", "edited", "attempts")


def _record(line: RowError, texts: ReasonTexts) -> dict[str, Any]:
    return {
        **{name: getattr(line, name) for name in _COPIED},
        "detail": _detail_text(line.detail, texts),
        "found_at": _moment(line.found_ms),
        "changed_at": _moment(line.changed_ms),
        "note": texts.named(f"row-error-note.{line.note}", line.note) if line.note else "",
    }


def _detail_text(detail: str, texts: ReasonTexts) -> str:
    """The target's own words as they are, ours in the viewer's language."""
    return texts.named("row-error-cause.append-only", detail) if detail == NOT_APPENDED else detail


def _position(kind: str, position: str) -> str:
    """In the words of the source, as elsewhere; rows of a full load and changes of structure have none."""
    return KINDS[kind].place(Position.parse(position)) if position else ""


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
