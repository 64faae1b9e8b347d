"""Calls about the installation's registration (the specification's 7.3)."""

from zcbus.control.features.registration import service
from zcbus.control.features.registration.schemas import (
    RegisterRequest,
    RegistrationDetailRecord,
    RegistrationRecord,
    UsageRecord,
)
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("registration")

_PAGE = "system/register"


@api.read("/api/zcbus/sys/regist/info", authorise("System.Register", Operation.VIEW), method="GET", unit=Unit.OWN)
def describe(call: Call) -> RegistrationRecord:
    """Status and end of the registration."""
    return service.describe(call.services)


@api.read("/api/zcbus/sys/regist/detail", authorise(_PAGE, Operation.VIEW))
def detail(call: Call, body: Empty) -> RegistrationDetailRecord:
    """The registration with the use of its limits, and the text to request another code with."""
    return service.detail(call.connection, call.services, call.principal)


@api.change("/api/zcbus/sys/regist/register", authorise(_PAGE, Operation.EDIT))
def register(call: Call, body: RegisterRequest) -> RegistrationRecord:
    """Check a code and replace the present one, which stays where the new one is invalid or over (code 300)."""
    before = service.describe(call.services)
    after = service.register(call.services, body.code)
    call.audit.before, call.audit.after = before.model_dump(mode="json"), after.model_dump(mode="json")
    return after


@api.read("/api/zcbus/common/get/tables/used/count", signed_in())
def used_tables(call: Call, body: Empty) -> UsageRecord:
    """How many tables are subscribed, and how many may be."""
    return service.used_tables(call.connection, call.services, call.principal)


@api.read("/api/zcbus/common/get/control/used/count", signed_in())
def used_controls(call: Call, body: Empty) -> UsageRecord:
    """How many masters there are, and how many may be."""
    return service.used_controls(call.connection, call.services, call.principal)
