"""The rules of alert rules."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from zcbus.control.features.alert_rule import repository, trial
from zcbus.control.features.alert_rule.errors import RuleMuteTimeError, RuleNameTakenError, TooManyRulesError
from zcbus.control.features.alert_rule.figures import metric_of
from zcbus.control.features.alert_rule.schemas import (
    RULE_SUBJECTS,
    RULES,
    MetricChoice,
    RuleChange,
    RuleCondition,
    RuleInput,
    RulePageRequest,
    RuleQuietHours,
    RuleRecord,
    RuleSubject,
    RuleSubjectPageRequest,
    RuleTrialRecord,
    RuleTrialRequest,
)
from zcbus.control.features.metric.catalogue import METRICS
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.metrics.store import MAX_STEP
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.alert_rule import alert_rule, alert_rule_state
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.kit.ids import new_id

MAX_RULES = 200
"""Of one tenant."""
MAX_MUTE = timedelta(days=366)


def listing(call: Call, request: RulePageRequest) -> Listing[RuleRecord]:
    """By name."""
    statement = repository.visible(call.principal)
    if request.search.strip():
        statement = statement.where(any_contains((alert_rule.c.name,), request.search.strip()))
    if request.kind is not None:
        statement = statement.where(alert_rule.c.kind == request.kind.value)
    if request.firing is not None:
        alerts = statement.selected_columns
        number = alerts["firing"] + alerts["missing_firing"]
        statement = statement.where(number > 0 if request.firing else number == 0)
    names, evaluated_at = _names(call.connection), _evaluated_at(call.connection)
    usual = [alert_rule.c.name, alert_rule.c.id]
    return Listing(RULES, statement, usual, lambda row: _record(call, row, names, evaluated_at))


def subjects(call: Call, request: RuleSubjectPageRequest) -> Listing[RuleSubject]:
    """Alerts first. Raises RecordNotFoundError."""
    statement = repository.states_of(find(call.connection, call.principal, request.id).id)
    if request.search.strip():
        statement = statement.where(any_contains((alert_rule_state.c.name,), request.search.strip()))
    usual = [alert_rule_state.c.state, alert_rule_state.c.name, alert_rule_state.c.subject]
    return Listing(RULE_SUBJECTS, statement, usual, _subject)


def find(connection: Connection, principal: Principal, rule_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find(connection, principal, rule_id)
    if row is None:
        raise RecordNotFoundError(kind="alert-rule", id=rule_id)
    return row


def record(call: Call, row: Row[Any]) -> RuleRecord:
    return _record(call, row, _names(call.connection), _evaluated_at(call.connection))


def add(call: Call, given: RuleInput) -> Row[Any]:
    """Raises RuleNameTakenError, TooManyRulesError, RecordNotFoundError."""
    tenant_id, rule_id, now = call.principal.tenant_id, new_id(), call.services.clock.now()
    if repository.count(call.connection, tenant_id) >= MAX_RULES:
        raise TooManyRulesError(most=MAX_RULES)
    values = _values(call, given, tenant_id, None)
    repository.insert(call.connection, id=rule_id, tenant_id=tenant_id, created_at=now, condition_since=now, **values)
    return find(call.connection, call.principal, rule_id)


def edit(call: Call, row: Row[Any], given: RuleChange) -> Row[Any]:
    """Another condition begins again: alerts of the old one end. Raises RuleNameTakenError, RecordNotFoundError."""
    values = _values(call, given, row.tenant_id, row)
    if any(values[name] != row._mapping[name] for name in _CONDITION):
        # Alerts of the old one are over with the next evaluation, which notes why.
        repository.forget_states(call.connection, row.id)
        values |= {"subjects": None, "missing": None, "condition_since": call.services.clock.now()}
    repository.change(call.connection, row.id, **values)
    return find(call.connection, call.principal, row.id)


def remove(call: Call, row: Row[Any]) -> None:
    repository.remove(call.connection, row.id)


def mute(call: Call, row: Row[Any], until: datetime | None) -> Row[Any]:
    """Suppress notices of its alerts until then; None: no longer. Raises RuleMuteTimeError."""
    now = call.services.clock.now()
    if until is not None and not now < until <= now + MAX_MUTE:
        raise RuleMuteTimeError(days=MAX_MUTE.days)
    repository.change(call.connection, row.id, muted_until=until)
    return find(call.connection, call.principal, row.id)


def try_out(call: Call, given: RuleTrialRequest) -> RuleTrialRecord:
    """When a rule of the caller's tenant would have fired. Raises RecordNotFoundError."""
    with call.services.database.read() as connection:
        _check_scope(connection, call.principal, given, call.principal.tenant_id)
    return trial.run(call.services, given, call.principal.tenant_id, given.days)


def metrics(call: Call) -> list[MetricChoice]:
    """All that rules can be about."""
    return [
        MetricChoice(
            kind=kind,
            name=metric.name,
            label=call.text(f"metric.{kind}.{metric.name}"),
            type=metric.type,
            unit=metric.chart.unit,
        )
        for kind, found in METRICS.items()
        for metric in found
    ]


_CONDITION = (
    *("kind", "metric", "container_id", "link_id", "service_id", "pattern", "comparison", "threshold", "seconds"),
    *("on_missing", "enabled"),
)


def _values(call: Call, given: RuleInput, tenant_id: str, row: Row[Any] | None) -> dict[str, Any]:
    if repository.name_is_taken(call.connection, tenant_id, given.name, row.id if row else None):
        raise RuleNameTakenError(name=given.name)
    _check_scope(call.connection, call.principal, given, tenant_id)
    quiet = given.quiet
    return {
        "name": given.name,
        "kind": given.kind.value,
        **given.model_dump(include={*_CONDITION, "level", "repeat_minutes"} - {"kind"}, by_alias=False),
        "quiet_from": quiet and quiet.begin,
        "quiet_to": quiet and quiet.end,
        "quiet_zone": quiet and quiet.time_zone,
        "updated_at": call.services.clock.now(),
        "updated_by": call.principal.user_name[:100],
    }


def _check_scope(connection: Connection, principal: Principal, given: RuleCondition, tenant_id: str) -> None:
    """What a rule names must be its tenant's, or of no tenant. Raises RecordNotFoundError."""
    for kind, named, table in (
        ("container", given.container_id, container),
        ("link", given.link_id, sync_link),
        ("service", given.service_id, service),
    ):
        if named is None:
            continue
        seen = table.c.tenant_id == tenant_id
        if table is container:
            seen = or_(seen, container.c.tenant_id.is_(None))
        if connection.execute(select(table.c.id).where(table.c.id == named, seen)).first() is None:
            raise RecordNotFoundError(kind=kind, id=named)


def _names(connection: Connection) -> dict[str, str]:
    """Of everything that scopes name."""
    return {
        row.id: row.name
        for table in (container, sync_link, service)
        for row in connection.execute(select(table.c.id, table.c.name))
    }


def _evaluated_at(connection: Connection) -> datetime | None:
    last = repository.last_turn(connection)
    return None if last is None else last.at


def _record(call: Call, row: Row[Any], names: dict[str, str], evaluated_at: datetime | None) -> RuleRecord:
    metric = metric_of(row.kind, row.metric)
    assert metric is not None
    scope = [one for one in (row.container_id, row.link_id, row.service_id) if one is not None]
    outdated = timedelta(seconds=MAX_STEP)
    plain = ("id", "name", "kind", "metric", "container_id", "link_id", "service_id", "pattern", "comparison")
    more = ("threshold", "seconds", "on_missing", "level", "repeat_minutes", "enabled", "subjects", "pending", "firing")
    return RuleRecord(
        **{name: row._mapping[name] for name in (*plain, *more, "missing_firing", "updated_at", "updated_by")},
        metric_name=call.text(f"metric.{row.kind}.{row.metric}"),
        metric_type=metric.type,
        unit=metric.chart.unit,
        scope_names=[names.get(one) for one in scope],
        quiet=_quiet(row),
        muted_until=_if_ahead(row.muted_until, call.services.clock.now()),
        missing=row.missing or 0,
        evaluated_at=evaluated_at,
        stale=evaluated_at is not None and call.services.clock.now() - evaluated_at > outdated,
    )


def _quiet(row: Row[Any]) -> RuleQuietHours | None:
    if row.quiet_zone is None:
        return None
    return RuleQuietHours(begin=row.quiet_from, end=row.quiet_to, time_zone=row.quiet_zone)


def _if_ahead(moment: datetime | None, now: datetime) -> datetime | None:
    return moment if moment is not None and moment > now else None


def _subject(row: Row[Any]) -> RuleSubject:
    return RuleSubject(
        id=row.subject,
        name=row.name,
        state=row.state,
        since=row.since,
        value=row.value,
        fired_at=row.fired_at,
        missing_since=row.missing_since,
    )
