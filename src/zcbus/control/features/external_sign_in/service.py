"""Sign-in with an identity provider, under the account of the same name."""

from urllib.parse import urlsplit

from zcbus.control.features.account import service as accounts
from zcbus.control.features.external_sign_in import handshake
from zcbus.control.features.external_sign_in.errors import (
    ExternalSignInAbsentError,
    PublicAddressNeededError,
)
from zcbus.control.features.external_sign_in.schemas import BegunSignIn, ServicePage, ServiceTicket, ThirdPartyAnswer
from zcbus.control.features.session.errors import AccountDisabledError, NoAccountError
from zcbus.control.features.session.schemas import CameFrom, LoginAnswer
from zcbus.control.features.session.service import open_session
from zcbus.control.platform.attempts import at_address, exchange_allowed, forget_attempts
from zcbus.control.platform.call import Call
from zcbus.control.platform.hosts import page_address
from zcbus.kit.sign_in_settings import OpenIdSettings
from zcbus.kit.tls import is_loopback

THIRD_PARTY_PAGE = "zcbus/thirdpart-sign-in"
SERVICE_PAGE = "zcbus/servicepart-sign-in"


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


def _page(call: Call, path: str) -> str:
    """The address to which the provider returns the browser. Taken from the request only for a browser on this host:
    otherwise a ticket for another site's page would count here. Raises PublicAddressNeededError."""
    address = page_address(call.request, call.services.settings)
    is_local = is_loopback(urlsplit(address).hostname or "") and is_loopback(call.where.address or "")
    if call.services.settings.public_address is None and not is_local:
        raise PublicAddressNeededError
    return f"{address}{path}"
