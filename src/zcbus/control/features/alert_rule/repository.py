"""Queries over alert rules and what they found. Those of people carry the condition that hides other tenants' rows."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, case, delete, func, select, update

from zcbus.control.features.alert_rule.machine import State, Status
from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.tables.alert_rule import alert_rule, alert_rule_state, alert_rule_turn

_state = alert_rule_state.c
_OF_RULE = (
    alert_rule.c.name.label("rule_name"),
    *(
        alert_rule.c[name]
        for name in (
            *("tenant_id", "kind", "metric", "comparison", "threshold", "seconds", "level", "repeat_minutes"),
            *("quiet_from", "quiet_to", "quiet_zone", "muted_until"),
        )
    ),
)


def visible(principal: Principal) -> Select[Any]:
    """Rules of the tenants that the caller may see, with the number of subjects in each state."""
    counts = (
        select(
            _state.rule_id,
            func.sum(case((_state.state == State.PENDING, 1), else_=0)).label("pending"),
            func.sum(case((_state.state == State.FIRING, 1), else_=0)).label("firing"),
            func.sum(case((_state.state == State.MISSING_FIRING, 1), else_=0)).label("missing_firing"),
        )
        .group_by(_state.rule_id)
        .subquery()
    )
    numbers = [func.coalesce(counts.c[name], 0).label(name) for name in ("pending", "firing", "missing_firing")]
    return (
        select(alert_rule, *numbers)
        .outerjoin(counts, counts.c.rule_id == alert_rule.c.id)
        .where(principal.visible(alert_rule.c.tenant_id))
    )


def find(connection: Connection, principal: Principal, rule_id: str) -> Row[Any] | None:
    return connection.execute(visible(principal).where(alert_rule.c.id == rule_id)).first()


def count(connection: Connection, tenant_id: str) -> int:
    counted = select(func.count()).select_from(alert_rule).where(alert_rule.c.tenant_id == tenant_id)
    return int(connection.execute(counted).scalar_one())


def name_is_taken(connection: Connection, tenant_id: str, name: str, but: str | None) -> bool:
    same = select(alert_rule.c.id).where(alert_rule.c.tenant_id == tenant_id, alert_rule.c.name == name)
    return any(row.id != but for row in connection.execute(same))


def insert(connection: Connection, **values: Any) -> None:
    connection.execute(alert_rule.insert().values(**values))


def change(connection: Connection, rule_id: str, **values: Any) -> None:
    connection.execute(update(alert_rule).where(alert_rule.c.id == rule_id).values(**values))


def remove(connection: Connection, rule_id: str) -> None:
    connection.execute(delete(alert_rule).where(alert_rule.c.id == rule_id))


def forget_states(connection: Connection, rule_id: str) -> None:
    connection.execute(delete(alert_rule_state).where(_state.rule_id == rule_id))


def states_of(rule_id: str) -> Select[Any]:
    """Subjects of a rule that are not in order."""
    return select(alert_rule_state).where(_state.rule_id == rule_id)


def enabled(connection: Connection) -> Sequence[Row[Any]]:
    """Rules that are evaluated, of all tenants."""
    return connection.execute(select(alert_rule).where(alert_rule.c.enabled.is_(True)).order_by(alert_rule.c.id)).all()


def alerting(connection: Connection) -> Sequence[Row[Any]]:
    """Subjects that are alerts, with their rules, of all tenants; the oldest first."""
    wanted = (
        select(alert_rule_state, *_OF_RULE)
        .join(alert_rule, alert_rule.c.id == _state.rule_id)
        .where(alert_rule.c.enabled.is_(True), _state.state.in_((State.FIRING, State.MISSING_FIRING)))
        .order_by(_state.rule_id, func.coalesce(_state.fired_at, _state.missing_since), _state.subject)
    )
    return connection.execute(wanted).all()


def conditions_since(connection: Connection, rule_ids: Collection[str]) -> dict[str, datetime]:
    """Of those rules that exist."""
    wanted = select(alert_rule.c.id, alert_rule.c.condition_since).where(among(alert_rule.c.id, rule_ids))
    return dict(connection.execute(wanted).all())


def statuses(connection: Connection) -> dict[str, dict[str, Status]]:
    """Of all rules, by rule and subject."""
    found: dict[str, dict[str, Status]] = {}
    for row in connection.execute(select(alert_rule_state)):
        found.setdefault(row.rule_id, {})[row.subject] = _status(row)
    return found


def write_states(connection: Connection, rule: Row[Any], put: Sequence[Mapping[str, Any]], gone: Iterable[str]) -> None:
    """Replace the states of some subjects of a rule, and remove those that are in order."""
    replaced = [*gone, *(row["subject"] for row in put)]
    if replaced:
        connection.execute(delete(alert_rule_state).where(_state.rule_id == rule.id, among(_state.subject, replaced)))
        announce(connection, "alert", {rule.tenant_id})
    if put:
        connection.execute(alert_rule_state.insert(), list(put))


def state_values(rule_id: str, subject: str, name: str, service_id: str | None, status: Status) -> dict[str, Any]:
    """A row of `alert_rule_state`."""
    return {
        "rule_id": rule_id,
        "subject": subject,
        "name": name,
        "service_id": service_id,
        "state": status.state.value,
        "since": _moment(status.since),
        "value": status.value,
        "fired_at": _moment(status.fired_at if status.fired_at is not None else status.missing_fired_at),
        "missing_since": _moment(status.missing_since),
    }


def last_turn(connection: Connection) -> Row[Any] | None:
    """The turn of the last evaluation; None: there was none."""
    return connection.execute(select(alert_rule_turn)).one_or_none()


def note_turn(connection: Connection, slot: int, at: datetime) -> None:
    connection.execute(delete(alert_rule_turn))
    connection.execute(alert_rule_turn.insert().values(id=0, slot=slot, at=at))


def _status(row: Row[Any]) -> Status:
    is_missing = row.state == State.MISSING_FIRING
    fired_at = _seconds(row.fired_at)
    return Status(
        _seconds(row.since),
        row.value,
        None if is_missing else fired_at,
        _seconds(row.missing_since),
        fired_at if is_missing else None,
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
