"""Alerts of a tenant's own rules, by what their evaluation found last."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert import repository
from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.alert.owners import Owner
from zcbus.control.features.alert_rule import findings
from zcbus.control.features.alert_rule.figures import metric_of, shown
from zcbus.control.features.notification.quiet import quiet_until

MOST = 200
"""Open alerts of one rule; more subjects are counted by the rule's page only."""


def rules_in_trouble(connection: Connection, owners: Mapping[str, Owner], now: datetime) -> Iterator[Condition]:
    """One for each subject of a rule, the oldest first. `owners`: by service."""
    counted: Counter[str] = Counter()
    for row in findings.alerting(connection):
        counted[row.rule_id] += 1
        if counted[row.rule_id] <= MOST:
            yield _condition(row, owners.get(row.service_id or ""), now)


def note_ends(connection: Connection, alert_ids: Sequence[str]) -> None:
    """Note on alerts of rules that are over because their rule was changed or deleted, not because a figure is in
    order."""
    of_rules = [row for row in repository.select_alerts(connection, alert_ids) if row.rule_id is not None]
    since = findings.conditions_since(connection, {row.rule_id for row in of_rules}) if of_rules else {}
    for row in of_rules:
        if row.rule_id not in since or since[row.rule_id] > row.record_time:
            repository.change(connection, row.id, reason={"code": "alert-rule-ended", "facts": {}})


def _condition(row: Row[Any], owner: Owner | None, now: datetime) -> Condition:
    is_missing = row.state == findings.State.MISSING_FIRING
    kind = Kind.RULE_MISSING if is_missing else Kind.RULE
    return Condition(
        kind,
        # One rule has one alert about one subject.
        blake2b(f"{row.rule_id} {row.subject}".encode(), digest_size=16).hexdigest(),
        row.tenant_id,
        {**(owner.facts if owner else {}), **_facts(row)},
        link_id=owner.link_id if owner else None,
        task_id=owner.task_id if owner else None,
        customer=owner.customer if owner else None,
        level=row.level,
        rule_id=row.rule_id,
        repeat=timedelta(minutes=row.repeat_minutes) if row.repeat_minutes else None,
        silent=_is_silent(row, now),
    )


def _is_silent(row: Row[Any], now: datetime) -> bool:
    if row.muted_until is not None and row.muted_until > now:
        return True
    return row.quiet_zone is not None and quiet_until(row.quiet_from, row.quiet_to, row.quiet_zone, now) is not None


def _facts(row: Row[Any]) -> dict[str, str]:
    metric = metric_of(row.kind, row.metric)
    facts = {"rule": row.rule_name, "subject": row.name, "metric": f"{row.kind}.{row.metric}"}
    if metric is None or row.state == findings.State.MISSING_FIRING:
        return facts | {"since": row.missing_since.isoformat(sep=" ", timespec="minutes")}
    return facts | {
        "comparison": row.comparison,
        "threshold": shown(metric, row.threshold),
        "value": "-" if row.value is None else shown(metric, row.value),
        "seconds": str(row.seconds),
    }
