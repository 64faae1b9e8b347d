"""Settings for signing in with an identity provider or a directory."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class OpenIdSettings:
    """The OpenID Connect provider for sign-in, and the token claim with the account."""

    issuer: str
    client_id: str
    client_secret: str | None
    name: str
    user_claim: str


@dataclass(frozen=True, slots=True)
class LdapAddress:
    """A directory server. Without `is_tls` the connection begins in clear and is encrypted before anything is sent."""

    host: str
    port: int
    is_tls: bool


@dataclass(frozen=True, slots=True)
class LdapSettings:
    """The directory whose passwords open accounts."""

    address: LdapAddress
    # The account that looks entries up; empty: anonymous.
    bind_dn: str
    bind_password: str = field(repr=False)
    # Users lie below this entry, have the account's name in the attribute, and fulfil the filter.
    base: str
    attribute: str
    filter: str
    # What the sign-in page calls it.
    name: str


PROVIDER_ADDRESS = "an https:// address (http:// for this host only)"


def parse_provider(value: str) -> str:
    """Raises ValueError."""
    address = urlsplit(value)
    is_local = address.scheme == "http" and address.hostname in ("localhost", "127.0.0.1", "::1")
    if value and not (address.hostname and (address.scheme == "https" or is_local)):
        raise ValueError(value)
    return value


LDAP_ADDRESS = "ldaps://host[:636], or ldap://host[:389] for StartTLS"

_PORTS = {"ldaps": 636, "ldap": 389}


def parse_ldap(value: str) -> LdapAddress | None:
    """Parse an address; empty: None. Raises ValueError."""
    if not value:
        return None
    parts = urlsplit(value)
    has_more = parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None
    if parts.scheme not in _PORTS or not parts.hostname or has_more:
        raise ValueError(value)
    return LdapAddress(parts.hostname, parts.port or _PORTS[parts.scheme], parts.scheme == "ldaps")


_ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9-]*", re.ASCII)


def parse_attribute(value: str) -> str:
    """Raises ValueError."""
    if not _ATTRIBUTE.fullmatch(value):
        raise ValueError(value)
    return value


def parse_filter(value: str) -> str:
    """A filter of RFC 4515. Raises ValueError."""
    from ldap3.core.exceptions import LDAPExceptionError
    from ldap3.operation.search import parse_filter as parse

    try:
        parse(value, None, False, False, None, False)
    except LDAPExceptionError as error:
        raise ValueError(value) from error
    return value
