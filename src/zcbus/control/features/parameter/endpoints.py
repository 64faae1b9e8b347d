"""Calls of the system parameters."""

from fastapi import Query

from zcbus.control.features.parameter import service
from zcbus.control.features.parameter.schemas import ParameterRecord
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.routing import Api

api = Api("parameter")


@api.read("/api/zcbus/bus-sys-parameter/getByVariableName", signed_in(), method="GET")
def get_by_variable_name(call: Call, variable_name: str = Query(alias="variableName")) -> ParameterRecord:
    """One system parameter, `sys_config` above all."""
    return service.get(call.connection, variable_name)


@api.read("/api/zcbus/bus-sys-parameter/list", signed_in(), method="GET")
def list_all(call: Call) -> list[ParameterRecord]:
    """Every system parameter."""
    return service.list_all(call.connection)
