"""The registry of service kinds: complete, and what it names is there."""

from typing import Any, get_args

import pytest

from zcbus.protocol.reports import Report
from zcbus.protocol.service_kinds import SERVICE_KINDS, SERVICE_TYPES, ServiceKind, function
from zcbus.protocol.tasks import Task

KINDS = pytest.mark.parametrize("kind", SERVICE_KINDS.values(), ids=list(SERVICE_KINDS))


def _models(union: Any) -> set[type]:
    """The models of a discriminated union, also of one that holds another."""
    models: set[type] = set()
    for part in get_args(get_args(union)[0]):
        models |= _models((part,)) if get_args(part) else {part}
    return models


def test_every_type_has_an_entry_and_every_task_a_type() -> None:
    assert tuple(SERVICE_KINDS) == SERVICE_TYPES
    assert {kind.task for kind in SERVICE_KINDS.values()} == _models(Task)


@KINDS
def test_a_kinds_task_takes_its_name_and_its_report_is_one(kind: ServiceKind) -> None:
    assert kind.name in get_args(kind.task.model_fields["type"].annotation)
    assert kind.report in _models(Report)


@KINDS
def test_what_an_entry_names_is_there(kind: ServiceKind) -> None:
    for named in (kind.worker, kind.orders, kind.save_reports):
        assert callable(function(named))
