"""The registry of service kinds: what its entries say is what travels, and what they name is there."""

from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from zcbus.protocol.reports import Report, ServiceReport
from zcbus.protocol.service_kinds import SERVICE_KINDS, AnyReport, AnyTableTask, AnyTask, ServiceKind, function
from zcbus.protocol.tasks import ComparisonTask, PublishTask, SubscribeTask, TableTask

KINDS = pytest.mark.parametrize("kind", SERVICE_KINDS.values(), ids=list(SERVICE_KINDS))


@KINDS
def test_declared_tasks_and_reports_are_part_of_the_protocol(kind: ServiceKind) -> None:
    assert kind.name in get_args(kind.task.model_fields["type"].annotation)
    assert kind.task in get_args(get_args(AnyTask)[0])
    assert kind.report in get_args(get_args(AnyReport)[0])


def test_nothing_else_travels() -> None:
    assert set(get_args(get_args(AnyTask)[0])) == {kind.task for kind in SERVICE_KINDS.values()}
    assert set(get_args(get_args(AnyTableTask)[0])) == {PublishTask, SubscribeTask}
    assert not issubclass(ComparisonTask, TableTask)
    with pytest.raises(ValidationError):
        TypeAdapter(AnyTask).validate_python({"type": "no-such", "service": "s"})


def test_a_report_keeps_what_only_its_kind_has() -> None:
    reports: TypeAdapter[Report] = TypeAdapter(AnyReport)
    line = '{"type": "service", "state": "running", "progress": 7, "at": "2026-01-01T00:00:00Z"}'
    report = reports.validate_json(line)
    assert isinstance(report, ServiceReport)
    assert report.progress == 7
    assert reports.validate_json(reports.dump_json(report)) == report


@KINDS
def test_named_functions_of_a_service_kind_exist(kind: ServiceKind) -> None:
    for named in (kind.worker, kind.orders, kind.save_reports):
        assert callable(function(named))
