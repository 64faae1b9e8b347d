"""Calls of signing in with an identity provider. Codes and tickets stay out of the operation log."""

from zcbus.control.features.external_sign_in import service
from zcbus.control.features.external_sign_in.schemas import BegunSignIn, ServicePage, ServiceTicket, ThirdPartyAnswer
from zcbus.control.features.session.schemas import LoginAnswer
from zcbus.control.platform.authorisation import public
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("external-sign-in")

_TO_SIGN_IN = public("this is where sessions come from")


@api.change("/api/zcbus/sys/authentication/third-party/begin", _TO_SIGN_IN, unit=Unit.OWN, audited=False)
def begin_third_party(call: Call) -> BegunSignIn:
    """Begin a sign-in with the OpenID Connect provider."""
    return service.begin_third_party(call)


@api.change("/api/zcbus/sys/authentication/login/third-party", _TO_SIGN_IN, unit=Unit.OWN)
def sign_in_third_party(call: Call, body: ThirdPartyAnswer) -> LoginAnswer:
    """Sign in with the OpenID Connect provider's answer."""
    call.audit.after = None
    return service.third_party(call, body)


@api.read("/api/zcbus/sys/authentication/service-ticket/page", _TO_SIGN_IN, unit=Unit.OWN)
def get_service_page(call: Call) -> ServicePage:
    """The address of service tickets for this platform."""
    return service.service_page(call)


@api.change("/api/zcbus/sys/authentication/login/service-ticket", _TO_SIGN_IN, unit=Unit.OWN)
def sign_in_service_ticket(call: Call, body: ServiceTicket) -> LoginAnswer:
    """Sign in with a service ticket of the CAS server."""
    call.audit.after = None
    return service.service_ticket(call, body)
