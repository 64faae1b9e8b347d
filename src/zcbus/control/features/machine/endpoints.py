"""Calls of machines (the specification's 7.5)."""

from zcbus.control.features.machine import service
from zcbus.control.features.machine.schemas import MachineChoice, MachineRecord, MachineUpdate
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("machine")


@api.read("/api/zcbus/container/machine/list/get/by/deviceId", authorise(service.MENU_KEY, Operation.VIEW))
def get(call: Call, body: MachineChoice) -> MachineRecord:
    """Credentials of an agent's host. The password stays on the server, whatever `decrypt` says."""
    return service.describe(call.connection, call.principal, body.device_id)


@api.change("/api/zcbus/container/machine/list/update", authorise(service.MENU_KEY, Operation.EDIT), unit=Unit.OWN)
def update(call: Call, body: MachineUpdate) -> MachineRecord:
    """Change it, once signing in with it has worked."""
    return service.update(call, body)
