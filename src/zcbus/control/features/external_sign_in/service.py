"""Sign-in with an identity provider, under the account of the same name."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from fastapi import Response
from fastapi.responses import RedirectResponse

from zcbus.control.features.account import service as accounts
from zcbus.control.features.external_sign_in import handshake
from zcbus.control.features.external_sign_in.errors import (
    ExternalSignInAbsentError,
    ProviderRefusedError,
    PublicAddressNeededError,
)
from zcbus.control.features.external_sign_in.schemas import (
    BegunSignIn,
    SamlAnswer,
    ServicePage,
    ServiceTicket,
    ThirdPartyAnswer,
)
from zcbus.control.features.session.errors import AccountDisabledError, NoAccountError
from zcbus.control.features.session.schemas import CameFrom, LoginAnswer
from zcbus.control.features.session.service import open_session
from zcbus.control.platform.attempts import at_address, exchange_allowed, forget_attempts
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.control.platform.hosts import page_address
from zcbus.kit.sign_in_settings import OpenIdSettings, SamlSettings
from zcbus.kit.tls import is_loopback

if TYPE_CHECKING:
    from zcbus.kit.saml.request import OwnSide

THIRD_PARTY_PAGE = "zcbus/thirdpart-sign-in"
SERVICE_PAGE = "zcbus/servicepart-sign-in"
SAML_PAGE = "zcbus/saml-sign-in"
SAML_RESPONSE = "api/zcbus/sys/authentication/saml/response"
SAML_METADATA = "api/zcbus/sys/authentication/saml/metadata"
_METADATA_TYPE = "application/samlmetadata+xml"


def begin_third_party(call: Call) -> BegunSignIn:
    """The provider's address and the handle to return with. Raises ExternalSignInAbsentError,
    ProviderUnreachableError."""
    # Client libraries of providers are imported only where a provider is configured.
    from zcbus.control.features.external_sign_in import openid

    settings = _openid(call)
    begun = handshake.new_handshake(_page(call, THIRD_PARTY_PAGE), call.services.clock.now())
    url = openid.authorisation_url(settings, begun)
    return BegunSignIn(url=url, handle=handshake.seal(call.services.secrets, begun))


def third_party(call: Call, body: ThirdPartyAnswer) -> LoginAnswer:
    """Sign in with the OpenID Connect provider's answer. Raises HandshakeOverError and as `_sign_in`."""
    from zcbus.control.features.external_sign_in import openid

    settings, now = _openid(call), call.services.clock.now()
    begun = handshake.unseal(call.services.secrets, body.handle, body.state, now)
    _count_attempt(call)
    return _sign_in(call, openid.account_name(settings, begun, body.code, now), body)


def service_page(call: Call) -> ServicePage:
    """The address of service tickets. Raises ExternalSignInAbsentError."""
    from zcbus.control.features.external_sign_in import cas

    return ServicePage(url=cas.login_url(_cas_url(call), _page(call, SERVICE_PAGE)))


def service_ticket(call: Call, body: ServiceTicket) -> LoginAnswer:
    """Sign in with a service ticket. Raises as `_sign_in`."""
    from zcbus.control.features.external_sign_in import cas

    cas_url = _cas_url(call)
    _count_attempt(call)
    return _sign_in(call, cas.account_name(cas_url, _page(call, SERVICE_PAGE), body.ticket), body)


def begin_saml(call: Call) -> BegunSignIn:
    """The provider's address and the handle to return with. Raises ExternalSignInAbsentError, ProviderRefusedError."""
    from zcbus.control.features.external_sign_in import saml

    settings, own = _saml(call)
    begun = handshake.new_handshake(own.response_url, call.services.clock.now())
    url = saml.request_url(call.services, settings, own, begun.state)
    return BegunSignIn(url=url, handle=handshake.seal(call.services.secrets, begun))


def saml_response(call: Call, form: bytes) -> Response:
    """Lead the browser that brings the provider's response to the console's page, with what came of it. Raises
    ExternalSignInAbsentError."""
    from zcbus.control.features.external_sign_in import saml

    (settings, own), now = _saml(call), call.services.clock.now()
    result: saml.Ticket | ProviderRefusedError | TooManyRequestsError
    try:
        _count_attempt(call)
        result = saml.read_form(form, settings, own, now)
    except (ProviderRefusedError, TooManyRequestsError) as error:
        result = error
    query = urlencode({"ticket": saml.seal(call.services.secrets, result, now)})
    return RedirectResponse(f"{_page(call, SAML_PAGE)}?{query}", status_code=303)


def saml_ticket(call: Call, body: SamlAnswer) -> LoginAnswer:
    """Sign in with what came of the provider's response. Raises the error that it carries, HandshakeOverError,
    ProviderRefusedError, and as `_sign_in`."""
    from zcbus.control.features.external_sign_in import saml

    _saml(call)
    secrets, now = call.services.secrets, call.services.clock.now()
    ticket = saml.unseal(secrets, body.ticket, now)
    handshake.unseal(secrets, body.handle, ticket.state, now)
    saml.use_up(call.services, ticket)
    return _sign_in(call, ticket.name, body)


def saml_metadata(call: Call) -> Response:
    """The platform's metadata. Raises ExternalSignInAbsentError."""
    from zcbus.control.features.external_sign_in import saml

    _, own = _saml(call)
    return Response(saml.metadata(call.services, own), media_type=_METADATA_TYPE)


def _sign_in(call: Call, name: str, came_from: CameFrom) -> LoginAnswer:
    """Raises NoAccountError, AccountDisabledError. Built-in accounts are refused: otherwise a user who may choose a
    name at the provider would rule the platform."""
    call.audit.user_name = name[:50]
    with call.services.database.read() as connection:
        user = accounts.find_credentials(connection, name)
        may_sign_in = user is not None and accounts.may_sign_in(connection, user)
    if user is None or user.user_type == accounts.USER_TYPE_BUILT_IN:
        raise NoAccountError(name=name[:50])
    if not may_sign_in:
        raise AccountDisabledError
    with call.services.database.write() as connection:
        forget_attempts(connection, _counted_as(call), at_address(call.where.address))
    return open_session(call, user, came_from, demands_password=False)


def _count_attempt(call: Call) -> None:
    exchange_allowed(call.services, _counted_as(call), at_address(call.where.address))


def _counted_as(call: Call) -> str:
    # The user is known only afterwards, so attempts count by address.
    return f"external:{call.where.address}"


def _openid(call: Call) -> OpenIdSettings:
    if call.services.settings.openid is None:
        raise ExternalSignInAbsentError
    return call.services.settings.openid


def _cas_url(call: Call) -> str:
    if call.services.settings.cas_url is None:
        raise ExternalSignInAbsentError
    return call.services.settings.cas_url


def _saml(call: Call) -> "tuple[SamlSettings, OwnSide]":
    if call.services.settings.saml is None:
        raise ExternalSignInAbsentError
    from zcbus.kit.saml.request import OwnSide

    settings = call.services.settings.saml
    return settings, OwnSide(settings.entity_id or _page(call, SAML_METADATA), _page(call, SAML_RESPONSE))


def _page(call: Call, path: str) -> str:
    """The address to which the provider returns the browser. Taken from the request only for a browser on this host:
    otherwise a ticket for another site's page would count here. Raises PublicAddressNeededError."""
    address = page_address(call.request, call.services.settings)
    is_local = is_loopback(urlsplit(address).hostname or "") and is_loopback(call.where.address or "")
    if call.services.settings.public_address is None and not is_local:
        raise PublicAddressNeededError
    return f"{address}{path}"
