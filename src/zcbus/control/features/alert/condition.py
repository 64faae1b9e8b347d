"""One thing that is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from zcbus.control.features.alert.kinds import Kind


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that is wrong with one thing. The same `key` is the same occurrence as long as it lasts."""

    kind: Kind
    subject: str
    tenant_id: str
    facts: Mapping[str, str]
    reason: Mapping[str, Any] | None = None
    # Another value means another occurrence.
    mark: str = ""
    link_id: str | None = None
    task_id: str | None = None
    # Id and name of the subscriber concerned.
    customer: tuple[str, str] | None = None
    # None: that of the kind.
    level: int | None = None
    # Whether another mark is reason enough to notify receivers again, also if the alert was acknowledged.
    escalates: bool = False
    # Of an own rule: its id, after what time receivers are notified again (None: never), and whether its
    # mute or its quiet hours suppress notices now.
    rule_id: str | None = None
    repeat: timedelta | None = None
    silent: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        return self.tenant_id, self.kind, self.subject
