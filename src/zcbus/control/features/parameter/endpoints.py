"""Calls of the system parameters."""

from fastapi import Query

from zcbus.control.features.parameter import service
from zcbus.control.features.parameter.schemas import (
    ModuleChoice,
    ParameterChange,
    ParameterPageRequest,
    ParameterRecord,
)
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("parameter")


@api.read("/api/zcbus/bus-sys-parameter/getByVariableName", signed_in(), method="GET")
def get_by_variable_name(call: Call, variable_name: str = Query(alias="variableName")) -> ParameterRecord:
    """One system parameter, `sys_config` above all."""
    return service.read(call, variable_name)


@api.read("/api/zcbus/bus-sys-parameter/list", signed_in(), method="GET")
def list_all(call: Call) -> list[ParameterRecord]:
    """Every system parameter."""
    return service.list_all(call)


@api.read("/api/zcbus/bus-sys-parameter/page", authorise(service.MENU_KEY, Operation.VIEW), lists=service.PARAMETERS)
def page(call: Call, body: ParameterPageRequest) -> Page[ParameterRecord]:
    """The system parameters, a page of them."""
    return service.page(call, body)


@api.read("/api/zcbus/common/parameter/module/getMsgParaListByModule", signed_in())
def list_of_module(call: Call, body: ModuleChoice) -> list[ParameterRecord]:
    """The system parameters of a module."""
    return service.list_all(call, body.module)


@api.change("/api/zcbus/bus-sys-parameter/update", authorise(service.MENU_KEY, Operation.EDIT))
def update(call: Call, body: ParameterChange) -> None:
    """Set a system parameter."""
    row = service.get(call.connection, body.variable_name)
    call.audit.subject, call.audit.before = row.variable_name, {"value": row.value}
    service.change(call, row, body.value)
