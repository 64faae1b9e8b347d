"""A collector of OpenTelemetry that does not take metrics or traces."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.metric import collector_state
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.control.store.tables.container import agent, service
from zcbus.model.reduction.services import RUNS, is_stale

# A collector that is started again is not worth an alert.
_FAILS_LONG = timedelta(minutes=5)
_NAMED_SERVICES = 5
_ID_LENGTH = 32


def exports_in_trouble(connection: Connection, now: datetime) -> Iterator[Condition]:
    """By the last attempts. Collectors are settings of hosts, so it concerns the tenant of the system."""
    for row in collector_state.failing(connection, now):
        if now - row.failing_since >= _FAILS_LONG:
            facts = {
                "host": row.host,
                "collector": row.collector,
                "detail": row.failure,
                "at": _minute(row.failing_since),
            }
            yield Condition(Kind.METRIC_EXPORT, row.instance[:_ID_LENGTH], DEFAULT_TENANT, facts)
    failing = [row for row in _services(connection, now) if now - _since(row) >= _FAILS_LONG]
    for collector, rows in groupby(sorted(failing, key=_collector), _collector):
        yield _of_traces(collector, list(rows))


def _of_traces(collector: str, rows: list[Row[Any]]) -> Condition:
    """All services that have one collector in one alert: it fails for all of them together."""
    oldest = min(rows, key=_since)
    names = sorted(row.name for row in rows)
    facts = {
        "collector": collector,
        "count": str(len(rows)),
        "services": ", ".join(names[:_NAMED_SERVICES]) + (", …" if len(names) > _NAMED_SERVICES else ""),
        "detail": str(oldest.traces["detail"]),
        "at": _minute(_since(oldest)),
    }
    subject = sha256(collector.encode()).hexdigest()[:_ID_LENGTH]
    return Condition(Kind.TRACE_EXPORT, subject, DEFAULT_TENANT, facts)


def _services(connection: Connection, now: datetime) -> list[Row[Any]]:
    """Running services that reported a failure; the report of an ended process says nothing of now."""
    wanted: Select[Any] = (
        select(service.c.name, service.c.traces, service.c.worker, agent.c.heartbeat_at)
        .join(agent, agent.c.id == service.c.agent_id)
        .where(service.c.traces.is_not(None))
    )
    rows = connection.execute(wanted).all()
    return [row for row in rows if row.worker in RUNS and not is_stale(row.heartbeat_at, now)]


def _since(row: Row[Any]) -> datetime:
    return datetime.fromisoformat(row.traces["since"])


def _collector(row: Row[Any]) -> str:
    return str(row.traces["collector"])


def _minute(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")
