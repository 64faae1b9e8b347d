"""The histories that a timeline is read from, each as rows of the same columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, func, literal, null, or_, select, type_coerce

from zcbus.control.features.timeline.schemas import EntryKind
from zcbus.control.features.timeline.scope import Scope
from zcbus.control.platform.action_titles import ACTION_KINDS
from zcbus.control.platform.principal import DEFAULT_TENANT, Principal
from zcbus.control.store.among import among
from zcbus.control.store.columns import JsonDocument, UtcTimestamp
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.alert import alert
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.container import service, service_attempt
from zcbus.control.store.tables.deployment import deployment
from zcbus.control.store.tables.load import load_record
from zcbus.control.store.tables.schema_change import schema_change
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan, task_run

_ACTED_ON = ("link", "row-error", "publish", "customer", "channel", "subscription", "comparison", "service")
_ACTIONS = [action for kind in _ACTED_ON for action in ACTION_KINDS[kind].actions]

STARTED, ENDED = "process-started", "process-ended"

AGENT_DEPLOYED, CONTROL_PLANE_DEPLOYED = "agent-deployed", "control-plane-deployed"

_NO_TEXT: ColumnElement[Any] = cast(null(), Text)
_NO_TIME: ColumnElement[Any] = cast(null(), UtcTimestamp)


@dataclass(frozen=True, slots=True)
class Source:
    """One history. `columns`: of `_COLUMNS`, those that it has; `search`: where text is looked for besides `code`."""

    kind: EntryKind
    rows: Select[Any]
    columns: Mapping[str, ColumnElement[Any]]
    search: Sequence[ColumnElement[Any]] = field(default_factory=tuple)

    def select(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Its rows as the timeline has them."""
        values = {"kind": literal(self.kind.value), **self.columns}
        chosen = [values.get(name, missing).label(name) for name, missing in _COLUMNS.items()]
        return self.rows.with_only_columns(*chosen).where(*conditions)


_COLUMNS: Mapping[str, ColumnElement[Any]] = {
    "id": _NO_TEXT,
    "at": _NO_TIME,
    "kind": _NO_TEXT,
    # What happened: an action, an alert's kind, else a key of the texts.
    "code": _NO_TEXT,
    "subject": _NO_TEXT,
    "who": _NO_TEXT,
    "result": _NO_TEXT,
    "error": _NO_TEXT,
    "reason": type_coerce(_NO_TEXT, JsonDocument),
    "facts": type_coerce(_NO_TEXT, JsonDocument),
    # An alert's own text; of a process the kind of its service, of a deployment the version.
    "content": _NO_TEXT,
    "until": _NO_TIME,
    "place": _NO_TEXT,
}


def sources(principal: Principal, scope: Scope) -> Sequence[Source]:
    """All histories of a scope."""
    return [make for build in _BUILDERS for make in build(principal, scope)]


def _acts(principal: Principal, scope: Scope) -> Sequence[Source]:
    """Acts on the objects by the names that the operation log has for them. Administrators of the platform act from
    the tenant of the system; a name's records from before its link was made are another's."""
    record = audit_record.c
    since = select(func.min(sync_link.c.created_at)).where(among(sync_link.c.id, scope.links)).scalar_subquery()
    named = or_(
        among(record.subject, scope.names),
        *(
            record.subject.startswith(f"{name}{separator}", autoescape=True)
            for name in scope.names[:_MAX_NAMES]
            for separator in _SEPARATORS
        ),
    )
    rows = select(audit_record).where(
        principal.visible(record.tenant_id),
        among(record.tenant_id, [*scope.tenants, DEFAULT_TENANT]),
        among(record.action, _ACTIONS),
        named,
        *([record.recorded_at >= since] if scope.links else []),
    )
    columns = {
        "id": record.id,
        "at": record.recorded_at,
        "code": record.action,
        "subject": record.subject,
        "who": record.user_name,
        "result": record.result,
        "error": record.error_code,
    }
    return [] if scope.table else [Source(EntryKind.ACT, rows, columns, (record.subject, record.user_name))]


_SEPARATORS = (": ", ", ")
"""Behind an owner's name: its object; behind the first of several names: the others."""
_MAX_NAMES = 50


def _alerts(_principal: Principal, scope: Scope) -> Sequence[Source]:
    about = or_(among(alert.c.link_id, scope.links), among(alert.c.subject, scope.services))
    if scope.table:
        about = alert.c.subject == scope.table
    columns = {
        "id": alert.c.id,
        "at": alert.c.record_time,
        "code": alert.c.kind,
        "subject": alert.c.customer_name,
        "facts": alert.c.facts,
        "reason": alert.c.reason,
        "content": alert.c.content,
        "until": alert.c.recovered_time,
    }
    searched = (type_coerce(alert.c.facts, Text), alert.c.content, alert.c.customer_name)
    rows = select(alert).where(among(alert.c.tenant_id, scope.tenants), about)
    raised = Source(EntryKind.ALERT, rows, columns, searched)
    over = {**columns, "at": alert.c.recovered_time, "reason": type_coerce(_NO_TEXT, JsonDocument), "until": _NO_TIME}
    lasted = rows.where(alert.c.recovered_time > alert.c.record_time)
    return [raised, Source(EntryKind.RECOVERY, lasted, over, searched)]


def _processes(_principal: Principal, scope: Scope) -> Sequence[Source]:
    if scope.table:
        return []
    attempt, own = service_attempt.c, among(service.c.id, scope.services)
    name = {"subject": service.c.name, "content": service.c.type}
    runs = select(service_attempt).join(service, service.c.id == attempt.service_id).where(own)
    ended = {
        **name,
        "id": attempt.id,
        "at": attempt.ended_at,
        "code": literal(ENDED),
        "result": attempt.result,
        "reason": attempt.reason,
    }
    earlier = {**name, "id": attempt.id, "at": attempt.started_at, "code": literal(STARTED), "until": attempt.ended_at}
    present = {**name, "id": service.c.id, "at": service.c.worker_started_at, "code": literal(STARTED)}
    is_new = ~(
        select(attempt.id)
        .where(attempt.service_id == service.c.id, attempt.started_at == service.c.worker_started_at)
        .exists()
    )
    now = select(service).where(own, service.c.worker_started_at.is_not(None), is_new)
    searched = (service.c.name,)
    return [
        Source(EntryKind.PROCESS, runs, ended, searched),
        Source(EntryKind.PROCESS, runs, earlier, searched),
        Source(EntryKind.PROCESS, now, present, searched),
    ]


def _loads(_principal: Principal, scope: Scope) -> Sequence[Source]:
    load = load_record.c
    rows = select(load_record).where(load.table_id == scope.table if scope.table else among(load.link_id, scope.links))
    columns = {
        "id": load.id,
        "at": func.coalesce(load.started_at, load.queued_at),
        "code": literal("load"),
        "subject": load.source_table,
        "result": load.state,
        "reason": load.reason,
        "until": load.finished_at,
    }
    return [Source(EntryKind.LOAD, rows, columns, (load.source_table,))]


def _schema_changes(_principal: Principal, scope: Scope) -> Sequence[Source]:
    change = schema_change.c
    of_channels = among(change.channel_id, scope.channels)
    rows = select(schema_change).where(
        and_(of_channels, change.table_id == scope.table) if scope.table else of_channels
    )
    columns = {
        "id": change.id,
        "at": change.recorded_at,
        "code": literal("schema"),
        "subject": change.source_table,
        "result": change.result,
    }
    return [Source(EntryKind.SCHEMA, rows, columns, (change.source_table,))]


def _plan_runs(_principal: Principal, scope: Scope) -> Sequence[Source]:
    if scope.table:
        return []
    run = task_run.c
    rows = select(task_run).join(task_plan, task_plan.c.id == run.plan_id).where(among(run.link_id, scope.links))
    columns = {
        "id": run.id,
        "at": func.coalesce(run.started_at, run.due_at),
        "code": literal("plan"),
        "subject": task_plan.c.name,
        "who": run.asked_by,
        "result": run.state,
        "reason": run.reason,
        "until": run.ended_at,
        "place": run.plan_id,
    }
    return [Source(EntryKind.PLAN, rows, columns, (task_plan.c.name, run.asked_by))]


def _deployments(_principal: Principal, scope: Scope) -> Sequence[Source]:
    one = deployment.c
    is_agent = one.container_id.is_not(None)
    rows = select(deployment).where(or_(one.container_id.is_(None), among(one.container_id, scope.containers)))
    columns = {
        "id": one.id,
        "at": one.deployed_at,
        "code": case((is_agent, literal(AGENT_DEPLOYED)), else_=literal(CONTROL_PLANE_DEPLOYED)),
        "subject": one.host,
        "result": func.coalesce(one.previous, ""),
        "content": one.version,
    }
    return [Source(EntryKind.DEPLOYMENT, rows, columns, (one.host, one.version))]


_BUILDERS: Sequence[Callable[[Principal, Scope], Sequence[Source]]] = (
    *(_acts, _alerts, _processes),
    *(_loads, _schema_changes, _plan_runs),
    _deployments,
)


def contains(source: Source, text: str, codes: Sequence[str]) -> ColumnElement[bool]:
    """Whether a row has the text, or is of what it means: `codes`."""
    code = source.columns["code"]
    return or_(any_contains(source.search, text), among(code, codes))
