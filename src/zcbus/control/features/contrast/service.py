"""Rules of comparisons: creation, orders, reports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.contrast import repository
from zcbus.control.features.contrast.errors import RepairContentError
from zcbus.control.features.contrast.schemas import ComparisonWay
from zcbus.control.features.datasource import connections
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.subscribe import sheet
from zcbus.control.platform.call import Call
from zcbus.control.platform.secrets import Lasting, SecretBox
from zcbus.model.states import DesiredState
from zcbus.protocol.reports import ComparisonReport
from zcbus.protocol.tasks import ComparisonTask, WantedComparison

SERVICE_TYPE = "contrast"


def make_for_customers(call: Call, customers: Iterable[str]) -> None:
    """Masters of customers without a contrast service get one, outside of any container."""
    now, store = call.services.clock.now(), call.connection
    found = repository.masters_of_customers(store, call.principal, customers)
    for row in repository.masters_to_serve(store, found):
        if row.contrast_id is None:
            _make(call, row, now, removed_at=now)


def compare(call: Call, rows: Sequence[Row[Any]], order: ComparisonWay) -> None:
    """Have tables (rows of `views.tables`) compared once; their contrast services run from then on."""
    now, store = call.services.clock.now(), call.connection
    makers = _makers(call, {row.master_id for row in rows}, now)
    new = [
        {"contrast_id": makers[row.master_id][0], "table_id": row.id, "number": 1, **_requested(row, order, now)}
        for row in rows
        if row.comparison_number is None
    ]
    repository.insert_comparisons(store, new)
    again = {row.id: {**_next(row), **_requested(row, order, now)} for row in _compared(rows)}
    repository.change_comparisons(store, again)
    _notify_services(store, [service for _, service in makers.values()])


def stop(call: Call, rows: Sequence[Row[Any]]) -> None:
    """Have comparisons that are under way broken off."""
    _change(call, rows, lambda _: {"stopped": True})


def check_repair(call: Call, tables: Sequence[str]) -> None:
    """Raises RepairContentError where none of the tables can be repaired because the differing rows are unknown."""
    rows = sheet.rows_of(call.connection, call.principal, tables)
    if rows and all(row.comparison_method == "count" for row in rows):
        raise RepairContentError


def check_repairable(method: str) -> None:
    """Raises RepairContentError for a comparison that only counted rows."""
    if method == "count":
        raise RepairContentError


def repair(call: Call, rows: Sequence[Row[Any]]) -> None:
    """Order the repair of found differences."""
    _change(call, rows, lambda row: {"repair": row.comparison_reported_repair + 1})


def discard(call: Call, rows: Sequence[Row[Any]]) -> None:
    """Dismiss found differences: another comparison is requested, and cancelled before it begins."""
    _change(call, rows, lambda row: {**_next(row), "stopped": True})


def tasks_of(connection: Connection, secrets: SecretBox, service_ids: Iterable[str]) -> dict[str, ComparisonTask]:
    """The complete tasks of contrast services; one deleted meanwhile has none."""
    contrasts = repository.select_contrasts(connection, service_ids)
    ends = connections.open_known(connection, secrets, {i for row in contrasts for i in (row.source_id, row.target_id)})
    requested: dict[str, list[Row[Any]]] = {row.id: [] for row in contrasts}
    for row in repository.select_requested(connection, requested):
        requested[row.contrast_id].append(row)
    tables = subscribe.tables_of_channels(connection, {row.channel_id for rows in requested.values() for row in rows})
    return {
        row.service_id: ComparisonTask(
            service=row.service_id,
            node=row.node_id,
            source=ends[row.source_id],
            target=connections.written(ends[row.target_id], row.load_type),
            comparisons=tuple(
                WantedComparison(
                    id=one.id,
                    subscription=one.channel_id,
                    table=tables[one.table_id],
                    number=one.number,
                    method=one.method,
                    columns=tuple(one.columns),
                    rounds=one.rounds,
                    stopped=one.stopped,
                    repair=one.repair,
                )
                for one in requested[row.id]
                if one.table_id in tables
            ),
            mask_key=SecretStr(secrets.derive_lasting(Lasting.MASK).hex()),
        )
        for row in contrasts
        if row.source_id in ends and row.target_id in ends
    }


def save_reports(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[ComparisonReport]]
) -> None:
    """Store the reports of contrast services (by id) about their comparisons."""
    reporting = set(own_services) & reports.keys()
    if not reporting:
        return
    for row in repository.select_contrasts(connection, reporting):
        newest = {report.table: report for report in reports[row.service_id]}
        for identifier in sorted(newest):
            repository.save_report(connection, row.id, identifier, _values(newest[identifier]))


def _values(report: ComparisonReport) -> dict[str, Any]:
    fields = report.model_dump(mode="python", exclude={"type", "table", "number", "repair", "at"})
    return {
        **fields,
        "state": report.state.value,
        "repair_state": report.repair_state.value,
        "reported_number": report.number,
        "reported_repair": report.repair,
        "reported_at": report.at,
    }


def _makers(call: Call, masters: set[str], now: datetime) -> dict[str, tuple[str, str]]:
    """By master, its contrast and the service that makes its comparisons, which is to run."""
    found = repository.masters_to_serve(call.connection, masters)
    made = {
        row.id: (row.contrast_id, row.service_id) if row.contrast_id is not None else _make(call, row, now)
        for row in found
    }
    containers.set_desired(call.connection, [service for _, service in made.values()], DesiredState.RUNNING)
    return made


def _make(call: Call, row: Row[Any], now: datetime, removed_at: datetime | None = None) -> tuple[str, str]:
    service = containers.create_service(
        call.connection,
        tenant_id=row.tenant_id,
        container_id=row.container_id,
        kind=SERVICE_TYPE,
        # The same in every language: its type is its description.
        name=row.name[:200],
        now=now,
        removed_at=removed_at,
    )
    made = repository.insert_contrast(call.connection, master_id=row.id, service_id=service, created_at=now)
    return made, service


def _requested(row: Row[Any], order: ComparisonWay, now: datetime) -> dict[str, Any]:
    """How a table is compared. Without a chosen method, one without a key is counted, which ignores columns."""
    method = order.method or ("count" if row.append_only else "content")
    columns = [] if method == "count" else list(dict.fromkeys(order.columns))
    return {"method": method, "columns": columns, "rounds": order.rounds, "asked_at": now, "stopped": False}


def _change(call: Call, rows: Sequence[Row[Any]], values: Callable[[Row[Any]], Mapping[str, Any]]) -> None:
    known = _compared(rows)
    repository.change_comparisons(call.connection, {row.id: values(row) for row in known})
    _notify_services(call.connection, repository.services_of_masters(call.connection, {row.master_id for row in known}))


def _compared(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those of the tables (rows of `views.tables`) that have a comparison already."""
    return [row for row in rows if row.comparison_number is not None]


def _next(before: Row[Any]) -> dict[str, Any]:
    """Another comparison of the same table. A pending repair of the previous one is dropped."""
    return {"number": before.comparison_number + 1, "repair": 0}


def _notify_services(connection: Connection, services: Sequence[str]) -> None:
    containers.notify_services(connection, services)
