"""Service tickets of a CAS server (protocol 3): the ticket is checked there, once, for this service only."""

from urllib.parse import urlencode
from xml.etree import ElementTree

import httpx

from zcbus.control.features.external_sign_in.errors import ProviderRefusedError
from zcbus.control.features.external_sign_in.provider import ask, unusable

_NAMES = {"cas": "http://www.yale.edu/tp/cas"}


def login_url(cas_url: str, service: str) -> str:
    """The address where the browser gets a ticket for this service."""
    return f"{cas_url}/login?{urlencode({'service': service})}"


def account_name(cas_url: str, service: str, ticket: str) -> str:
    """The user that the ticket was issued for. Raises ProviderUnreachableError, ProviderRefusedError."""
    address = f"{cas_url}/p3/serviceValidate"
    answer = ask("GET", address, params={"service": service, "ticket": ticket})
    # Declarations are where XML does harm; the protocol has none.
    if answer.status_code != httpx.codes.OK or "<!" in answer.text:
        raise unusable(address, f"status {answer.status_code}")
    try:
        root = ElementTree.fromstring(answer.text)  # noqa: S314  no declarations, and at most half a megabyte
    except ElementTree.ParseError as error:
        raise unusable(address, repr(error)) from error
    name = root.findtext("cas:authenticationSuccess/cas:user", default="", namespaces=_NAMES).strip()
    if not name:
        raise ProviderRefusedError
    return name
