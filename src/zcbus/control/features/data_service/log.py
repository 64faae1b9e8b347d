"""Log of the calls that data services answered: stored as reported, listed, and removed after a while."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, select, update

from zcbus.control.features.data_service import repository
from zcbus.control.features.data_service.schemas import CALL_LIST, CallRecord, LogPageRequest
from zcbus.control.features.parameter import service as parameters
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.data_service import api, api_app, api_log, data_service
from zcbus.protocol.data_service import ApiCall, ApiCallsReport

_AT_ONCE = 5_000
_REFUSED = 400


def listing(call: Call, request: LogPageRequest) -> Listing[CallRecord]:
    """The newest first."""
    texts = ReasonTexts.of(call)
    statement = select(api_log).where(call.principal.visible(api_log.c.tenant_id), *_conditions(request))
    usual = [api_log.c.called_at.desc(), api_log.c.id.desc()]
    return Listing(CALL_LIST, statement, usual, lambda row: _record(row, texts))


def save_calls(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[ApiCallsReport]]
) -> None:
    """Store the calls that data services report; a call that is reported twice is stored once."""
    reporting = set(own_services) & reports.keys()
    for owner in repository.of_services(connection, reporting) if reporting else ():
        calls = {call.id: call for report in reports[owner.service_id] for call in report.calls}
        _insert(connection, owner, calls)
        dropped = sum(report.dropped for report in reports[owner.service_id])
        if dropped:
            counted = data_service.c.calls_dropped + dropped
            connection.execute(update(data_service).where(data_service.c.id == owner.id).values(calls_dropped=counted))


def remove_old(services: Services) -> None:
    """Remove calls after their retention, in chunks. Running it twice at once is harmless."""
    with services.database.read() as connection:
        days = parameters.api_log_days(connection)
    limit = services.clock.now() - timedelta(days=days)
    while _removed(services, limit) == _AT_ONCE:
        pass


def _removed(services: Services, limit: datetime) -> int:
    old = select(api_log.c.id).where(api_log.c.called_at < limit).limit(_AT_ONCE)
    with services.database.write() as connection:
        return connection.execute(delete(api_log).where(api_log.c.id.in_(old))).rowcount


def _insert(connection: Connection, owner: Row[Any], calls: Mapping[str, ApiCall]) -> None:
    known = set(connection.execute(select(api_log.c.id).where(api_log.c.id.in_(list(calls)))).scalars())
    fresh = [call for call in calls.values() if call.id not in known]
    apis = _names(connection, api, {call.api for call in fresh})
    apps = _names(connection, api_app, {call.app for call in fresh})
    if fresh:
        connection.execute(api_log.insert(), [_values(owner, call, apis, apps) for call in fresh])


def _names(connection: Connection, table: Any, ids: set[str]) -> Callable[[str], str]:
    rows = connection.execute(select(table.c.id, table.c.name).where(table.c.id.in_(list(ids))))
    names = {row.id: row.name for row in rows}
    return lambda identifier: names.get(identifier, "")


def _values(
    owner: Row[Any], call: ApiCall, api_name: Callable[[str], str], app_name: Callable[[str], str]
) -> dict[str, Any]:
    return {
        "id": call.id,
        "tenant_id": owner.tenant_id,
        "data_service_id": owner.id,
        "called_at": call.at,
        "api_id": call.api,
        "api_name": api_name(call.api),
        "version": call.version,
        "app_id": call.app,
        "app_name": app_name(call.app),
        "method": call.method[:10],
        "path": call.path[:300],
        "address": call.address[:64],
        "status": call.status,
        "rows": call.rows,
        "bytes": call.bytes,
        "duration_ms": call.duration_ms,
        "cached": call.cached,
        "reason": call.error.model_dump() if call.error else None,
    }


def _conditions(request: LogPageRequest) -> list[ColumnElement[bool]]:
    filters = ((api_log.c.api_id, request.api_id), (api_log.c.app_id, request.app_id))
    conditions: list[ColumnElement[bool]] = [column == value for column, value in filters if value]
    if request.search.strip():
        searched = (api_log.c.path, api_log.c.api_name, api_log.c.app_name, api_log.c.address)
        conditions.append(any_contains(searched, request.search.strip()))
    if request.failed is not None:
        conditions.append(api_log.c.status >= _REFUSED if request.failed else api_log.c.status < _REFUSED)
    if request.since is not None:
        conditions.append(api_log.c.called_at >= request.since)
    if request.until is not None:
        conditions.append(api_log.c.called_at < request.until)
    return conditions


def _record(row: Row[Any], texts: ReasonTexts) -> CallRecord:
    shown = {name: getattr(row, name) for name in CallRecord.model_fields if name != "reason"}
    return CallRecord(reason=texts.record(row.reason), **shown)
