"""Calls about the installation's registration (the specification's 7.3)."""

from zcbus.control.features.registration import service
from zcbus.control.features.registration.schemas import RegistrationRecord, UsageRecord
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("registration")


@api.read("/api/zcbus/sys/regist/info", authorise("System.Register", Operation.VIEW), method="GET", unit=Unit.OWN)
def describe(call: Call) -> RegistrationRecord:
    """Status and end of the registration."""
    return service.describe(call.services)


@api.read("/api/zcbus/common/get/tables/used/count", signed_in())
def used_tables(call: Call, body: Empty) -> UsageRecord:
    """How many tables are subscribed, and how many may be."""
    return service.used_tables(call.connection, call.services, call.principal)


@api.read("/api/zcbus/common/get/control/used/count", signed_in())
def used_controls(call: Call, body: Empty) -> UsageRecord:
    """How many masters there are, and how many may be."""
    return service.used_controls(call.connection, call.services, call.principal)
