"""The kinds of services, in one literal map.

Everything that differs by kind is a field of its entry, or is in modules named as `module:function`. They are
imported only where they are called: agents load no engine, workers no control plane.

A new kind needs an entry and the modules that it names, with models derived from `tasks.Task` and `reports.Report`.
Messages carry a union of the entries' models.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field

from zcbus.model.services import ClientType
from zcbus.protocol.data_service import ApiCallsReport, DataServiceTask
from zcbus.protocol.reports import (
    ComparisonReport,
    PublishTableReport,
    Report,
    ServiceReport,
    StreamQueryReport,
    SyncTableReport,
)
from zcbus.protocol.tasks import ComparisonTask, PublishTask, StreamTask, SubscribeTask, TableTask, Task

Program = Literal["worker", "gateway"]
"""Commands of `zcbus` that run services."""


@dataclass(frozen=True, slots=True)
class ServiceKind:
    """Specification of a kind of services."""

    name: str
    title_zh: str
    title_en: str
    task: type[Task]
    """Model of its tasks."""
    report: type[Report]
    """Models of its reports."""
    worker: str
    """`(task, settings, stop)`: the service for its process, and the receiver of changed tasks."""
    orders: str
    """`(connection, secrets, service_ids)`: tasks of the services, or outlines of them.

    Kinds with the same function are called together, because their tasks may depend on each other.
    """
    save_reports: str
    """`(connection, own_services, reports)`: stores reports of services, by service id."""
    made_for: Literal["node", "customer", "data-service"]
    """Owner of a service."""
    clients: tuple[ClientType, ...] = ()
    """Types of customers that it serves."""
    on_demand: bool = False
    """Created only on request, in the list of services."""
    program: Program = "worker"
    preloaded: bool = False
    """Processes of a host share its modules. Other kinds load theirs at their start."""
    evaluates: bool = False
    """It evaluates expressions of users, so the memory of its process is limited."""


_APPLIED: Mapping[str, Any] = {
    "task": SubscribeTask,
    "report": SyncTableReport,
    "worker": "zcbus.worker.subscription:start",
    "orders": "zcbus.control.features.subscribe.orders:outlines_of",
    "save_reports": "zcbus.control.features.subscribe.service_tasks:save_reports",
    "made_for": "customer",
    "preloaded": True,
    "evaluates": True,
}

SERVICE_KINDS: Mapping[str, ServiceKind] = {
    kind.name: kind
    for kind in (
        ServiceKind(
            "publish",
            "发布",
            "Publish",
            task=PublishTask,
            report=PublishTableReport,
            worker="zcbus.engine.publish.service:start",
            orders="zcbus.control.features.subscribe.orders:outlines_of",
            save_reports="zcbus.control.features.publish.service:save_reports",
            made_for="node",
            preloaded=True,
        ),
        ServiceKind("subscribe", "订阅", "Subscribe", clients=("client",), **_APPLIED),
        ServiceKind("process", "处理", "Process", clients=("databus",), **_APPLIED),
        ServiceKind(
            "contrast",
            "比对",
            "Contrast",
            task=ComparisonTask,
            report=ComparisonReport,
            worker="zcbus.engine.comparison.service:start",
            orders="zcbus.control.features.contrast.service:tasks_of",
            save_reports="zcbus.control.features.contrast.service:save_reports",
            made_for="customer",
            clients=("client", "databus"),
            on_demand=True,
            preloaded=True,
        ),
        ServiceKind(
            "stream",
            "实时计算",
            "Real-time compute",
            task=StreamTask,
            report=StreamQueryReport,
            worker="zcbus.engine.stream.service:start",
            orders="zcbus.control.features.stream.service:tasks_of",
            save_reports="zcbus.control.features.stream.service:save_reports",
            made_for="customer",
            clients=("stream",),
            evaluates=True,
        ),
        ServiceKind(
            "data-service",
            "数据服务",
            "Data service",
            task=DataServiceTask,
            report=ApiCallsReport,
            worker="zcbus.gateway.service:start",
            orders="zcbus.control.features.data_service.tasks:tasks_of",
            save_reports="zcbus.control.features.data_service.log:save_calls",
            made_for="data-service",
            program="gateway",
        ),
    )
}

if TYPE_CHECKING:
    ServiceType = str
    AnyTask = Task
    AnyTableTask = TableTask
    AnyReport = Report
else:
    _TASKS = tuple(kind.task for kind in SERVICE_KINDS.values())
    _KINDS = [
        {"type": kind.name, "madeFor": kind.made_for, "title": {"zh": kind.title_zh, "en": kind.title_en}}
        for kind in SERVICE_KINDS.values()
    ]
    ServiceType = Annotated[Literal[tuple(SERVICE_KINDS)], Field(json_schema_extra={"x-service-kinds": _KINDS})]
    """Task of any kind. API documents contain its titles, from which the console derives its types."""
    AnyTask = Annotated[Union[_TASKS], Field(discriminator="type")]  # noqa: UP007
    AnyTableTask = Annotated[
        Union[tuple(task for task in _TASKS if issubclass(task, TableTask))],  # noqa: UP007
        Field(discriminator="type"),
    ]
    AnyReport = Annotated[
        Union[(ServiceReport, *(kind.report for kind in SERVICE_KINDS.values()))],
        Field(discriminator="type"),
    ]
"""The models of all kinds for messages, discriminated by `type`."""


def function(named: str) -> Callable[..., Any]:
    """Import a `module:function` of an entry."""
    module, _, name = named.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
