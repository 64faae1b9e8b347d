"""Occurrences of anomalies, counted by the store for each class, cause and object."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Row, case, cast, func, select

from zcbus.control.features.anomaly_statistics.schemas import CLASSES, AnomalyPageRequest
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.alert import alert


def occurrences(connection: Connection, principal: Principal, request: AnomalyPageRequest) -> Sequence[Row[Any]]:
    """A row for each class, cause and object in the tenants that the caller may see. `facts` are those of one of its
    occurrences: names are the same in all."""
    cause = func.coalesce(alert.c.reason["code"].as_string(), "")
    of = (alert.c.kind, alert.c.subject, alert.c.link_id, alert.c.task_id, alert.c.customer_id, cause.label("cause"))
    figures: tuple[ColumnElement[Any], ...] = (
        func.count().label("occurrences"),
        func.count(case((alert.c.recovered_time.is_(None), 1))).label("open"),
        func.sum(cast(alert.c.facts["count"].as_string(), Integer)).label("rows"),
        func.min(alert.c.record_time).label("first_at"),
        func.max(alert.c.update_time).label("last_at"),
        func.max(alert.c.facts).label("facts"),
        func.max(alert.c.reason).label("reason"),
    )
    counted = select(*of, *figures).where(principal.visible(alert.c.tenant_id), *_conditions(request, cause))
    return connection.execute(counted.group_by(*of)).all()


def _conditions(request: AnomalyPageRequest, cause: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    kinds = [kind.value for kind in CLASSES if request.kind in (None, kind.value)]
    conditions: list[ColumnElement[bool]] = [alert.c.kind.in_(kinds)]
    if request.cause is not None:
        conditions.append(cause == request.cause)
    if request.since is not None:
        conditions.append(alert.c.record_time >= request.since)
    if request.until is not None:
        conditions.append(alert.c.record_time < request.until)
    return conditions
