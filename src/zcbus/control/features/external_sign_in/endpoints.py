"""Calls of signing in with an identity provider. Codes and tickets stay out of the operation log."""

from typing import Annotated

from fastapi import Body, Response

from zcbus.control.features.external_sign_in import service
from zcbus.control.features.external_sign_in.schemas import (
    BegunSignIn,
    SamlAnswer,
    ServicePage,
    ServiceTicket,
    ThirdPartyAnswer,
)
from zcbus.control.features.session.schemas import LoginAnswer
from zcbus.control.platform.authorisation import public
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("external-sign-in")

_TO_SIGN_IN = public("this is where sessions come from")
_FORM = "application/x-www-form-urlencoded"


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


@api.change("/api/zcbus/sys/authentication/saml/begin", _TO_SIGN_IN, unit=Unit.OWN, audited=False)
def begin_saml(call: Call) -> BegunSignIn:
    """Begin a sign-in with the SAML identity provider."""
    return service.begin_saml(call)


# Not for clients of the API: the provider's page posts a form here.
@api.read("/api/zcbus/sys/authentication/saml/response", _TO_SIGN_IN, unit=Unit.OWN, listed=False)
def take_saml_response(call: Call, body: Annotated[bytes, Body(media_type=_FORM)]) -> Response:
    """Take the SAML identity provider's response from its page. Leads the browser to the console."""
    return service.saml_response(call, body)


@api.change("/api/zcbus/sys/authentication/login/saml", _TO_SIGN_IN, unit=Unit.OWN)
def sign_in_saml(call: Call, body: SamlAnswer) -> LoginAnswer:
    """Sign in with the SAML identity provider's response."""
    call.audit.after = None
    return service.saml_ticket(call, body)


@api.read(
    "/api/zcbus/sys/authentication/saml/metadata",
    public("the identity provider's administrator fetches it"),
    method="GET",
    unit=Unit.OWN,
)
def get_saml_metadata(call: Call) -> Response:
    """This platform's SAML metadata."""
    return service.saml_metadata(call)
