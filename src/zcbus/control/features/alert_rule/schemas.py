"""Requests and answers about alert rules."""

import math
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from zcbus.control.features.alert_rule.figures import metric_of
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.metric.catalogue import MetricType, SubjectKind, Unit
from zcbus.control.features.task_plan.schemas import TimeZone
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
Level = Literal[0, 1, 3]
Comparison = Literal["gt", "ge", "lt", "le"]

DAY = 86_400
MAX_DAYS = 30
"""Of history that a rule is tried on: the minutes of the metrics are kept for so long."""


class RuleQuietHours(Schema):
    """When notices are held back until the end. `begin`, `end`: minutes of the day in `timeZone`; an end before its
    beginning lies on the next day."""

    begin: int = Field(ge=0, lt=1440)
    end: int = Field(ge=0, lt=1440)
    time_zone: TimeZone

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.begin == self.end:
            raise field_fault("quiet-hours")
        return self


class RuleCondition(Schema):
    """When it is an alert: `metric` of subjects of `kind` is over (gt), at least (ge), under (lt) or at most (le)
    `threshold`, in the metric's unit and of counters per second, for `seconds`. `onMissing`: also when there are no
    figures for so long, a minute at least. `containerId`, `linkId`, `serviceId`: only subjects of these; `pattern`:
    only names like this one, with `*` and `?`; null, empty: all of the tenant."""

    kind: SubjectKind
    metric: str = Field(min_length=1, max_length=50)
    container_id: Id | None = None
    link_id: Id | None = None
    service_id: Id | None = None
    pattern: str = Field("", max_length=200, pattern=r"^\P{C}*$")
    comparison: Comparison
    threshold: float = Field(ge=-1e15, le=1e15)
    seconds: int = Field(60, ge=0, le=DAY)
    on_missing: bool = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if metric_of(self.kind, self.metric) is None:
            raise field_fault("rule-metric", metric=self.metric)
        if self.kind is SubjectKind.HOST and (self.link_id or self.service_id):
            raise field_fault("rule-scope-of-host")
        if not math.isfinite(self.threshold):
            raise field_fault("number")
        return self


class RuleInput(RuleCondition):
    """A rule. `level`: 0 general, 1 attention, 3 important. `repeatMinutes`: receivers are notified again after so
    long while an alert lasts and is not acknowledged; 0: once."""

    name: Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
    level: Level = 1
    repeat_minutes: int = Field(0, ge=0, le=7 * 24 * 60)
    quiet: RuleQuietHours | None = None
    enabled: bool = True


class RuleChoice(Schema):
    id: Id


class RuleChange(RuleInput, RuleChoice):
    """A rule with its new settings."""


class RuleDeletion(RuleChoice, DeletionProof):
    """The rule to delete; its open alerts end."""


class RuleMuteRequest(RuleChoice):
    """`until`: its alerts are muted until then; null: no longer."""

    until: AwareDatetime | None = None


class RulePageRequest(PageRequest):
    """`search`: part of the name. `kind`: of subjects. `firing`: whether it has alerts now."""

    search: str = Field("", max_length=100)
    kind: SubjectKind | None = None
    firing: bool | None = None


class RuleRecord(Schema):
    """A rule. `metricName`, `unit`, `metricType`: of its metric. `scopeNames`: names of container, link and service,
    null where it is gone. `subjects`: number it concerns, `pending`, `firing`, `missing`, `missingFiring`: of these
    those whose condition holds not for long enough, those that are alerts, those without figures, and those of which
    that is an alert; `subjects` is null before the first evaluation. `evaluatedAt`: of the newest evaluation of all
    rules; `stale`: it is outdated, and nothing newer is known."""

    id: str
    name: str
    kind: SubjectKind
    metric: str
    metric_name: str
    metric_type: MetricType
    unit: Unit
    container_id: str | None
    link_id: str | None
    service_id: str | None
    scope_names: list[str | None]
    pattern: str
    comparison: Comparison
    threshold: float
    seconds: int
    on_missing: bool
    level: int
    repeat_minutes: int
    quiet: RuleQuietHours | None
    muted_until: datetime | None
    enabled: bool
    subjects: int | None
    pending: int
    firing: int
    missing: int
    missing_firing: int
    evaluated_at: datetime | None
    stale: bool
    updated_at: datetime
    updated_by: str


class RuleSubjectPageRequest(PageRequest, RuleChoice):
    """Subjects of a rule (`id`) that are not in order. `search`: part of the name."""

    search: str = Field("", max_length=100)


class RuleSubject(Schema):
    """`state`: pending, firing, missing or missing-firing. `since`: of the condition; `value`: the figure then.
    `firedAt`: since when it is an alert. `missingSince`: since when there are no figures."""

    id: str
    name: str
    state: Literal["pending", "firing", "missing", "missing-firing"]
    since: datetime | None
    value: float | None
    fired_at: datetime | None
    missing_since: datetime | None


class MetricChoice(Schema):
    """A metric that rules can be about. `unit`: of counters each second."""

    kind: SubjectKind
    name: str
    label: str
    type: MetricType
    unit: Unit


class RuleTrialRequest(RuleCondition):
    """Settings to try on the last `days` of the history, before they are stored."""

    days: int = Field(1, ge=1, le=MAX_DAYS)


class TrialEpisode(Schema):
    """A time in which it would have been an alert. `endedAt`: null: it lasts. `peak`: the figure furthest from the
    threshold; null: it would have been one because figures were missing."""

    id: str
    name: str
    missing: bool
    fired_at: datetime
    ended_at: datetime | None
    peak: float | None


class RuleTrialRecord(Schema):
    """When a rule would have fired in `start` to `end`. `step`: seconds of a point: gauges count with their highest,
    counters with their mean. `subjects`: number it concerns, `tried`: of these those that were read. `total`:
    number of alerts, `episodes`: the newest of them. `measured`: share of the time with figures, of all that were
    tried, from 0 to 1; for the rest nothing is known."""

    start: datetime
    end: datetime
    step: int
    subjects: int
    tried: int
    total: int
    episodes: list[TrialEpisode]
    measured: float


RULES = ListDefinition[RuleRecord](
    RuleRecord,
    {"name": "name", "kind": "kind", "level": "level", "firing": "firing", "updatedAt": "updated_at"},
)
RULE_SUBJECTS = ListDefinition[RuleSubject](
    RuleSubject, {"name": "name", "state": "state", "since": "since", "firedAt": "fired_at"}
)
