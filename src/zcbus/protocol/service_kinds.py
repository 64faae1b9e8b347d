"""The kinds of services: one literal map. Everything that differs by kind is an entry's field or stands in its modules,
named as `module:function` and imported only where they are called: agents load no engine, workers no control plane.

A new kind is its entry here and the modules that the entry names, with models that derive from `tasks.Task` and
`reports.Report`. What travels is a union of the entries' models.
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
    ComputationReport,
    PublishTableReport,
    Report,
    ServiceReport,
    SyncTableReport,
)
from zcbus.protocol.tasks import ContrastTask, PublishTask, StreamTask, SubscribeTask, TableTask, Task

Program = Literal["worker", "gateway"]
"""The commands of `zcbus` that run services."""


@dataclass(frozen=True, slots=True)
class ServiceKind:
    """What the platform has to know of a kind of services."""

    name: str
    title_zh: str
    title_en: str
    task: type[Task]
    """What an agent is told of a service."""
    report: type[Report]
    """What a service tells of its work."""
    worker: str
    """`(task, settings, stop)`: the service as its process runs it, and what takes changed tasks."""
    orders: str
    """`(connection, secrets, service_ids)`: the tasks of the services, or outlines of them. Kinds that name the same
    function are asked together, as one of their tasks may depend on another."""
    save_reports: str
    """`(connection, own_services, reports)`: keeps what services, by id, reported."""
    made_for: Literal["node", "customer", "data-service"]
    """Of what a service does the work."""
    clients: tuple[ClientType, ...] = ()
    """The types of customers that it is made for."""
    on_demand: bool = False
    """There is none until somebody asks for one, in the list of services."""
    program: Program = "worker"
    preloaded: bool = False
    """A host's processes share the modules of its service. The others load theirs when they start."""
    evaluates: bool = False
    """It runs expressions that users wrote, so its process is limited to the memory that it was given."""


_APPLIED: Mapping[str, Any] = {
    "task": SubscribeTask,
    "report": SyncTableReport,
    "worker": "zcbus.engine.verification.subscription:start",
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
            task=ContrastTask,
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
            report=ComputationReport,
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
    """What a service does. Documents of the API have the titles with it, from which the console takes its own."""
    AnyTask = Annotated[Union[_TASKS], Field(discriminator="type")]  # noqa: UP007
    AnyTableTask = Annotated[
        Union[tuple(task for task in _TASKS if issubclass(task, TableTask))],  # noqa: UP007
        Field(discriminator="type"),
    ]
    AnyReport = Annotated[
        Union[(ServiceReport, *(kind.report for kind in SERVICE_KINDS.values()))],
        Field(discriminator="type"),
    ]
"""The models of all kinds as messages carry them, discriminated by `type`."""


def function(named: str) -> Callable[..., Any]:
    """What an entry names as `module:function`."""
    module, _, name = named.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
