"""Calls of alert rules."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.alert_rule import service
from zcbus.control.features.alert_rule.schemas import (
    RULE_SUBJECTS,
    RULES,
    MetricChoice,
    RuleChange,
    RuleDeletion,
    RuleInput,
    RuleMuteRequest,
    RulePageRequest,
    RuleRecord,
    RuleSubject,
    RuleSubjectPageRequest,
    RuleTrialRecord,
    RuleTrialRequest,
)
from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("alert-rule")

MENU_KEY = "system/alert-rule"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_BASE = "/api/zcbus/system/alert-rule"


@api.read(f"{_BASE}/page", _VIEW, lists=RULES)
def page(call: Call, body: RulePageRequest) -> Page[RuleRecord]:
    """Own alert rules, with what they found."""
    return answer_page(call, body, service.listing(call, body))


@api.read(f"{_BASE}/subject/page", _VIEW, lists=RULE_SUBJECTS)
def page_subjects(call: Call, body: RuleSubjectPageRequest) -> Page[RuleSubject]:
    """Subjects of a rule that are not in order, alerts first."""
    return answer_page(call, body, service.subjects(call, body))


@api.read(f"{_BASE}/metric/list", _VIEW)
def list_metrics(call: Call, body: Empty) -> list[MetricChoice]:
    """Metrics that rules can be about."""
    return service.metrics(call)


@api.read(f"{_BASE}/try", _VIEW, unit=Unit.OWN)
def try_out(call: Call, body: RuleTrialRequest) -> RuleTrialRecord:
    """When a rule with these settings would have fired, by the minutes of the history. Nothing is stored."""
    return service.try_out(call, body)


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add(call: Call, body: RuleInput) -> RuleRecord:
    """Create a rule. It is evaluated with the next sample of the metrics."""
    call.audit.subject = body.name
    return _recorded(call, service.add(call, body))


@api.change(f"{_BASE}/edit", authorise(MENU_KEY, Operation.EDIT))
def edit(call: Call, body: RuleChange) -> RuleRecord:
    """Change a rule. If its condition changes, its open alerts end, and it is evaluated again."""
    row = _found(call, body.id)
    return _recorded(call, service.edit(call, row, body))


@api.change(f"{_BASE}/mute", authorise(MENU_KEY, Operation.OPERATE))
def mute(call: Call, body: RuleMuteRequest) -> RuleRecord:
    """Suppress notices of a rule's alerts until a time, or end that."""
    row = _found(call, body.id)
    return _recorded(call, service.mute(call, row, body.until))


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: RuleDeletion) -> None:
    """Delete a rule; its open alerts end. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = _found(call, body.id)
    call.audit.after = None
    service.remove(call, row)


def _found(call: Call, rule_id: str) -> Row[Any]:
    row = service.find(call.connection, call.principal, rule_id)
    call.audit.subject = row.name
    call.audit.before = _plain(service.record(call, row))
    return row


def _recorded(call: Call, row: Row[Any]) -> RuleRecord:
    found = service.record(call, row)
    call.audit.after = _plain(found)
    return found


_RESULTS = {"subjects", "pending", "firing", "missing", "missing_firing", "evaluated_at", "stale"}


def _plain(record: RuleRecord) -> dict[str, object]:
    return record.model_dump(mode="json", by_alias=True, exclude={*_RESULTS, "updated_at", "updated_by"})
