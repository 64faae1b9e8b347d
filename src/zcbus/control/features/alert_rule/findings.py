"""What the evaluation of rules found, for alerts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert_rule import repository
from zcbus.control.features.alert_rule.machine import State as State


def alerting(connection: Connection) -> Sequence[Row[Any]]:
    """Subjects that are alerts, with their rules (`rule_name`), of all tenants; a rule's oldest first."""
    return repository.alerting(connection)


def conditions_since(connection: Connection, rule_ids: Collection[str]) -> dict[str, datetime]:
    """Since when each rule has its present condition; rules that are gone are left out."""
    return repository.conditions_since(connection, rule_ids)
