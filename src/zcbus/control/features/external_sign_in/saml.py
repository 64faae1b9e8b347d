"""SAML 2.0: a signed request by redirect, the response by POST, and the ticket that carries its result to the console.

A provider posts its response from its own page, which says nothing of the tab that asked. The response is therefore
checked where it arrives, and its result is handed, sealed, to the console's page in that tab: only this has the handle
of the request that was answered.
"""

import base64
import binascii
import threading
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import orjson

from zcbus.control.features.external_sign_in import saml_store
from zcbus.control.features.external_sign_in.errors import (
    AssertionEncryptedError,
    HandshakeOverError,
    ProviderRefusedError,
)
from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.control.platform.secrets import SecretBox, SecretUnreadableError
from zcbus.control.platform.services import Services
from zcbus.kit.confined import Confined, Overrun
from zcbus.kit.logging import get_logger
from zcbus.kit.saml import response
from zcbus.kit.saml.request import OwnSide, own_metadata, sign_in_url
from zcbus.kit.saml.response import ProvedUser, ResponseRefusedError, proved_user
from zcbus.kit.sign_in_settings import SamlSettings

TICKET_LIFETIME = timedelta(minutes=2)

_log = get_logger("control.external-sign-in")

_CONTEXT = "saml-ticket"
_REFUSALS = {kind.code: kind for kind in (ProviderRefusedError, AssertionEncryptedError, TooManyRequestsError)}
# Strangers may send responses: each is read by a process of its own, a few at once.
_MEMORY, _SECONDS = 256 << 20, 5
_slots = threading.BoundedSemaphore(4)
_MAX_FIELDS = 10
# Ours are shorter: an XML name must not begin with a digit.
_PREFIX, _MAX_REQUEST_ID = "_", 64


@dataclass(frozen=True, slots=True)
class Ticket:
    """The user that the provider proved, the state of the handshake that it answers, and the assertion that is used
    up by it."""

    name: str
    state: str
    assertion_id: str
    until: datetime


def request_url(services: Services, settings: SamlSettings, own: OwnSide, state: str) -> str:
    """The address where the browser asks the provider. Raises ProviderRefusedError where its metadata have expired."""
    now = services.clock.now()
    if settings.provider.valid_until is not None and settings.provider.valid_until <= now:
        raise _refused("the provider's metadata have expired")
    key = saml_store.own_key(services).key
    return sign_in_url(settings.provider, own, f"{_PREFIX}{state}", now, key)


def metadata(services: Services, own: OwnSide) -> bytes:
    """The platform's metadata."""
    return own_metadata(own, saml_store.own_key(services).certificate)


def read_form(form: bytes, settings: SamlSettings, own: OwnSide, now: datetime) -> Ticket:
    """What a posted response proves. Raises ProviderRefusedError, TooManyRequestsError."""
    user = _read(_content_of(form), settings, own, now)
    if not user.request_id.startswith(_PREFIX) or len(user.request_id) > _MAX_REQUEST_ID:
        raise _refused("it answers a request that was not ours")
    return Ticket(user.name, user.request_id.removeprefix(_PREFIX), user.assertion_id, user.until)


def use_up(services: Services, ticket: Ticket) -> None:
    """Let the ticket's assertion count this time only. Raises ProviderRefusedError."""
    if not saml_store.use_once(services, ticket.assertion_id, ticket.until):
        raise _refused("the assertion was used before")


def seal(box: SecretBox, result: Ticket | ProviderRefusedError | TooManyRequestsError, now: datetime) -> str:
    """For the browser to carry to the console's page: a user, or why there is none."""
    if isinstance(result, Ticket):
        content = {
            "name": result.name,
            "state": result.state,
            "assertion": result.assertion_id,
            "until": result.until.timestamp(),
        }
    else:
        content = {"error": result.code, "facts": result.facts}
    return box.seal(orjson.dumps({**content, "expires": (now + TICKET_LIFETIME).timestamp()}).decode(), _CONTEXT)


def unseal(box: SecretBox, sealed: str, now: datetime) -> Ticket:
    """Open a text of `seal`. Raises the error that it carries; HandshakeOverError where it is too old or forged."""
    try:
        content = orjson.loads(box.open(sealed, _CONTEXT))
    except (ValueError, SecretUnreadableError):
        raise HandshakeOverError from None
    if content["expires"] <= now.timestamp():
        raise HandshakeOverError
    if "error" in content:
        raise _REFUSALS[content["error"]](**content["facts"])
    until = datetime.fromtimestamp(content["until"], UTC)
    return Ticket(content["name"], content["state"], content["assertion"], until)


def _content_of(form: bytes) -> bytes:
    try:
        fields = parse_qs(form.decode("ascii"), max_num_fields=_MAX_FIELDS)
        [encoded] = fields["SAMLResponse"]
        # Some providers divide it into lines.
        return base64.b64decode("".join(encoded.split()), validate=True)
    except (ValueError, KeyError, binascii.Error):
        raise _refused("the form has no response") from None


def _read(content: bytes, settings: SamlSettings, own: OwnSide, now: datetime) -> ProvedUser:
    if not _slots.acquire(timeout=_SECONDS):
        raise TooManyRequestsError(seconds=_SECONDS)
    try:
        with closing(Confined(_MEMORY, _SECONDS)) as child:
            return child.call(proved_user, content, settings.provider, own, settings.user_attribute, now)
    except response.AssertionEncryptedError as error:
        _log.warning("identity provider did not confirm", detail=str(error))
        raise AssertionEncryptedError from None
    except ResponseRefusedError as error:
        raise _refused(str(error)) from None
    except Overrun as error:
        raise _refused("reading it took too much memory or time") from error
    finally:
        _slots.release()


def _refused(detail: str) -> ProviderRefusedError:
    _log.warning("identity provider did not confirm", detail=detail)
    return ProviderRefusedError()
