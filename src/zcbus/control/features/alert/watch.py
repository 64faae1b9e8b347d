"""Raises an alert when something goes wrong, once, and notes when it is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.alert import mute_repository, repository
from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.conditions import Findings, find_conditions
from zcbus.control.features.alert.kinds import LEVELS
from zcbus.control.features.alert.mutes import muted_until, object_of
from zcbus.control.features.alert.notices import notify
from zcbus.control.features.alert.rules import note_ends
from zcbus.control.platform.services import Services

Key = tuple[str, str, str]

CHECKED_AFTER = timedelta(minutes=10)
"""What still lasts so long after a user said that it is mended, is not."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes by an evaluation: occurrences that began (and whether they are muted), those that happened again (with
    their open alert), those over, those whose mute is over, and those that receivers are notified of again."""

    begun: Sequence[tuple[Condition, bool]]
    repeated: Sequence[tuple[str, Condition]]
    over: Sequence[str]
    unmuted: Sequence[str]
    lasting: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.begun or self.repeated or self.over or self.unmuted or self.lasting)


def evaluate(services: Services) -> None:
    """Compare the present conditions with the open alerts. Several replicas may run it at once: one at a time
    writes."""
    with services.database.read() as connection:
        seen = find_conditions(connection, services)
        if not _difference(connection, services, seen):
            return
    with services.database.write_alone() as connection:
        _write(connection, services, _difference(connection, services, seen))


def _difference(connection: Connection, services: Services, seen: Findings) -> Difference:
    now = services.clock.now()
    return difference(seen, repository.select_open(connection), mute_repository.in_force(connection, now), now)


def difference(
    seen: Findings, known: Sequence[Row[Any]], mutes: Sequence[Row[Any]] = (), now: datetime | None = None
) -> Difference:
    """Writes that bring the open alerts up to the findings. `mutes`: those in force."""

    def is_muted(about: Condition) -> bool:
        return about.silent or muted_until(mutes, about.tenant_id, about.kind, object_of(about)) is not None

    conditions: Mapping[Key, Condition] = {condition.key: condition for condition in seen.conditions}
    open_alerts: Mapping[Key, Row[Any]] = {(row.tenant_id, row.kind, row.subject): row for row in known}
    return Difference(
        begun=[(condition, is_muted(condition)) for key, condition in conditions.items() if key not in open_alerts],
        repeated=[
            (row.id, conditions[key])
            for key, row in open_alerts.items()
            if key in conditions and conditions[key].mark != row.mark
        ],
        over=[
            row.id
            for key, row in open_alerts.items()
            if key not in conditions and (row.kind, row.subject) not in seen.unknown
        ],
        unmuted=[
            row.id
            for key, row in open_alerts.items()
            if row.muted and key in conditions and not is_muted(conditions[key])
        ],
        lasting=[
            row.id
            for key, row in open_alerts.items()
            if key in conditions and _is_due_again(row, conditions[key], now) and not is_muted(conditions[key])
        ],
    )


def _is_due_again(row: Row[Any], condition: Condition, now: datetime | None) -> bool:
    if condition.escalates and condition.mark != row.mark:
        return True
    if now is not None and not row.muted and row.resolved_time is not None:
        return bool(now - row.resolved_time >= CHECKED_AFTER)
    if condition.repeat is None or now is None or row.muted or row.acknowledged_time is not None:
        return False
    return bool(now - (row.notified_time or row.record_time) >= condition.repeat)


def _write(connection: Connection, services: Services, found: Difference) -> None:
    now = services.clock.now()
    names = accounts.tenant_names(connection) if found.begun else {}
    begun = repository.insert(
        connection, [_row(condition, names, now) for condition, is_muted in found.begun if not is_muted]
    )
    muted = {"muted": True, "status": repository.HISTORY}
    repository.insert(
        connection, [_row(condition, names, now) | muted for condition, is_muted in found.begun if is_muted]
    )
    for alert_id in found.unmuted:
        repository.change(
            connection, alert_id, muted=False, status=repository.UNREAD, update_time=now, notified_time=now
        )
    for alert_id, condition in found.repeated:
        unknown = repository.NOT_HANDLED if condition.escalates else {}
        repository.change(connection, alert_id, update_time=now, level=_level(condition), **unknown, **_what(condition))
    repository.repeat(connection, found.lasting, now)
    repository.disprove(connection, found.lasting)
    note_ends(connection, found.over)
    repository.recover(connection, found.over, now)
    notify(connection, services, "raised", [*begun, *found.unmuted], now)
    notify(connection, services, "repeated", found.lasting, now)
    notify(connection, services, "recovered", found.over, now)


def _row(condition: Condition, names: Mapping[str, str], now: datetime) -> dict[str, Any]:
    tenant_id = condition.tenant_id
    customer_id, customer_name = condition.customer or (tenant_id, names.get(tenant_id, tenant_id))
    return {
        "tenant_id": tenant_id,
        "customer_id": customer_id,
        "customer_name": customer_name,
        "kind": condition.kind.value,
        "subject": condition.subject,
        "level": _level(condition),
        "content": None,
        "rule_id": condition.rule_id,
        "link_id": condition.link_id,
        "task_id": condition.task_id,
        "record_time": now,
        "update_time": now,
        **_what(condition),
    }


def _level(condition: Condition) -> int:
    return LEVELS[condition.kind].value if condition.level is None else int(condition.level)


def _what(condition: Condition) -> dict[str, Any]:
    return {"facts": dict(condition.facts), "reason": condition.reason, "mark": condition.mark}
