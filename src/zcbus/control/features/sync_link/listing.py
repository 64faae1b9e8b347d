"""Links as they are shown: records, details, status, export."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource.connections import spec_of
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe.tables import current_tables, lag_ms, pace, reason_of, rows_loaded
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.schemas import (
    ExportedDocument,
    LinkDetail,
    LinkPageRequest,
    LinkRecord,
    LinkStatus,
    LinkWarning,
    TableStatus,
)
from zcbus.control.features.sync_link.states import link_actions, table_counts
from zcbus.control.features.sync_link.warnings import warnings_of
from zcbus.control.platform.paging import ListDefinition, Page, page_of
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonRecord, ReasonTexts
from zcbus.model.reduction.pace import pace_of
from zcbus.model.reduction.services import is_held_up, is_stale
from zcbus.model.states import ERROR_STATES, IndexMode, LinkState, SyncState

LINKS = ListDefinition[LinkRecord](
    LinkRecord,
    sort_keys={
        "name": lambda link: link.name.lower(),
        "state": lambda link: link.state.value,
        "tables": lambda link: link.tables.total,
        "rowsPerSecond": lambda link: link.rows_per_second,
        "lagMs": lambda link: -1 if link.lag_ms is None else link.lag_ms,
        "createdAt": lambda link: link.created_at,
        "updatedAt": lambda link: link.updated_at,
    },
)


@dataclass(slots=True)
class Figures:
    """A link's tables in figures."""

    tables: dict[SyncState, int] = field(default_factory=dict)
    tables_with_trouble: dict[SyncState, int] = field(default_factory=dict)
    """Of these tables, those of which the target refused rows, or has rows that differ."""
    rows_per_second: float = 0.0
    lag_ms: int | None = None
    rows_loaded: int = 0
    rows_total: int = 0
    row_errors: int = 0
    differing: int = 0
    verified_until: datetime | None = None
    """The least of all that are verified."""
    unverified: int = 0
    """Tables that are to be verified and never were completely."""


def figures_of(connection: Connection, link_ids: list[str] | None) -> Mapping[str, Figures]:
    """Figures by link; None: of all links."""
    figures: dict[str, Figures] = defaultdict(Figures)
    for row in repository.select_counts(connection, link_ids):
        link = figures[row.link_id]
        link.tables[SyncState(row.current_state)] = row.tables
        link.tables_with_trouble[SyncState(row.current_state)] = int(row.tables_with_trouble)
        link.differing += int(row.differing)
        link.unverified += int(row.unverified)
        if row.verified_until is not None:
            link.verified_until = min(link.verified_until or row.verified_until, row.verified_until)
        link.rows_per_second += float(row.rows_per_second)
        link.rows_loaded += int(row.rows_loaded)
        link.row_errors += int(row.row_errors)
        link.rows_total += int(row.rows_total)
        if row.lag_ms is not None:
            link.lag_ms = max(link.lag_ms or 0, int(row.lag_ms))
    return figures


def link_records(
    connection: Connection, links: Sequence[Row[Any]], texts: ReasonTexts, now: datetime
) -> list[LinkRecord]:
    """Links as records, in the given order."""
    chosen = [link.id for link in links] if len(links) <= 100 else None
    figures, warnings = figures_of(connection, chosen), warnings_of(connection, chosen, texts)
    limit = parameters.lag_limit_seconds(connection)
    return [
        _record(link, figures.get(link.id, Figures()), warnings.get(link.id, ()), texts, now, limit) for link in links
    ]


@dataclass(frozen=True, slots=True)
class ListedLink:
    """A link as a record, with the ids of its services and its figures by state."""

    record: LinkRecord
    service_ids: tuple[str, str]
    figures: Figures


def all_links(connection: Connection, principal: Principal, texts: ReasonTexts, now: datetime) -> list[ListedLink]:
    """Every link the caller may see."""
    figures, warnings = figures_of(connection, None), warnings_of(connection, None, texts)
    limit, listed = parameters.lag_limit_seconds(connection), []
    for link in repository.select_links(connection, principal, None):
        own = figures.get(link.id, Figures())
        record = _record(link, own, warnings.get(link.id, ()), texts, now, limit)
        listed.append(ListedLink(record, (link.publish_service_id, link.subscribe_service_id), own))
    return listed


def page_links(
    connection: Connection, principal: Principal, request: LinkPageRequest, texts: ReasonTexts, now: datetime
) -> Page[LinkRecord]:
    """A part of the caller's links."""
    links = repository.select_links(connection, principal, request.search, request.state)
    return page_of(link_records(connection, links, texts, now), request, LINKS)


def link_detail(
    connection: Connection, principal: Principal, link: Row[Any], texts: ReasonTexts, now: datetime
) -> LinkDetail:
    """A link with its settings and services."""
    record = link_records(connection, [link], texts, now)[0]
    service_ids = [link.publish_service_id, link.subscribe_service_id]
    return LinkDetail(
        **dict(record),
        load=link.document["load"],
        clean=link.document["clean"],
        ddl=link.document["ddl"],
        threads=link.load_threads,
        services=containers.list_services(connection, principal, texts, now, service_ids),
        document=export(link),
    )


def link_status(connection: Connection, link: Row[Any], texts: ReasonTexts, now: datetime) -> LinkStatus:
    """The contract's `link status`."""
    record = link_records(connection, [link], texts, now)[0]
    limit = parameters.lag_limit_seconds(connection)
    return LinkStatus(
        name=link.name,
        state=record.state,
        pace=record.pace,
        stale=record.stale,
        as_of=record.as_of,
        reason=record.reason.text if record.reason else None,
        warnings=[one.text for one in record.warnings],
        tables=[_table_status(row, texts, record.stale, limit) for row in current_tables(connection, link.id)],
    )


def export(link: Row[Any]) -> ExportedDocument:
    """A link as a document. Passwords become references to environment variables."""
    document = link.document
    return ExportedDocument(
        link=link.name,
        source=_exported_connection(link.source_kind, link.source_options, link.name, "SOURCE"),
        target=_exported_connection(link.target_kind, link.target_options, link.name, "TARGET"),
        tables=[_exported_table(entry) for entry in document["tables"]],
        load=document["load"],
        clean=document["clean"],
        ddl=document["ddl"],
        indexes=document.get("indexes", IndexMode.KEYS),
        threads=document["threads"],
        lanes=document.get("lanes"),
        names=document.get("names"),
        column_case=document.get("columnCase"),
        json_topic=document.get("jsonTopic"),
        new_tables=document.get("newTables"),
        held_log_gb=document.get("heldLogGb"),
        container=link.container_name,
    )


def _record(
    link: Row[Any],
    figures: Figures,
    warnings: Sequence[LinkWarning],
    texts: ReasonTexts,
    now: datetime,
    limit_seconds: int,
) -> LinkRecord:
    state = LinkState(link.current_state)
    stale = is_stale(link.agent_seen_at, now)
    lag = None if stale else figures.lag_ms
    reason = _reason(link, state, texts)
    return LinkRecord(
        id=link.id,
        name=link.name,
        tenant_id=link.tenant_id,
        task_id=link.task_id,
        source=ConnectionRecord(kind=link.source_kind, **link.source_options),
        target=ConnectionRecord(kind=link.target_kind, **link.target_options),
        container_name=link.container_name,
        desired=link.desired,
        state=state,
        stale=stale,
        as_of=link.agent_seen_at,
        reason=reason,
        held_up=is_held_up(state, reason, stale=stale),
        tables=table_counts(figures.tables, figures.row_errors, figures.differing),
        verified_until=None if figures.unverified else figures.verified_until,
        unverified=figures.unverified,
        warnings=list(warnings),
        rows_per_second=round(figures.rows_per_second, 1),
        lag_ms=lag,
        pace=pace_of(state, lag, figures.rows_per_second, limit_seconds),
        actions=link_actions(state),
        version=link.version,
        created_at=link.created_at,
        updated_at=link.updated_at,
    )


def _reason(link: Row[Any], state: LinkState, texts: ReasonTexts) -> ReasonRecord | None:
    """Why a link is not simply running: what its agent observed of a process, else what a process reports."""
    if state in (LinkState.STOPPED, LinkState.SUSPENDED):
        return None
    reasons: Iterable[Any] = (
        link.publish_reason,
        link.subscribe_reason,
        link.publish_report_reason,
        link.subscribe_report_reason,
    )
    return next((texts.record(reason) for reason in reasons if reason is not None), None)


def _table_status(row: Row[Any], texts: ReasonTexts, stale: bool, limit_seconds: int) -> TableStatus:
    reason, lag = reason_of(row, texts), lag_ms(row, stale)
    return TableStatus(
        source=f"{row.source_schema}.{row.source_table}",
        target=f"{row.target_schema}.{row.target_table}",
        state=row.current_state,
        rows_loaded=rows_loaded(row),
        inserts=row.inserts,
        updates=row.updates,
        deletes=row.deletes,
        lag_ms=lag,
        pace=pace(row, stale, limit_seconds),
        errors=row.row_errors + (SyncState(row.current_state) in ERROR_STATES),
        reason=reason.text if reason else _differs(row, texts),
    )


def _differs(row: Row[Any], texts: ReasonTexts) -> str | None:
    return texts.text("table-differs", {"count": str(row.differences)}) if row.differences else None


def _exported_connection(kind: str, options: Mapping[str, Any], link: str, side: str) -> dict[str, Any]:
    """A connection as code, without what is empty where nothing is given."""
    variable = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in link.upper())
    known = spec_of(kind).options
    placeholders = {
        option.name: {"env": f"{variable}_{side}_{option.name.upper()}"} for option in known if option.shown.secret
    }
    empty = {option.name for option in known if options.get(option.name) in ("", None) and not option.default}
    return {"kind": kind, **{name: value for name, value in options.items() if name not in empty}, **placeholders}


def _exported_table(entry: Any) -> Any:
    """A mapping's tables are written `schema.table` where that can be read back."""
    if isinstance(entry, str):
        return entry
    shown = {name: _spelt(value) if name in ("source", "target") else value for name, value in entry.items()}
    return {name: value for name, value in shown.items() if value not in ([], None)}


def _spelt(table: Mapping[str, str]) -> Any:
    return table if "." in table["schema"] else f"{table['schema']}.{table['table']}"
