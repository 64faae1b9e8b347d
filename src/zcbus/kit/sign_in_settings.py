"""Settings for signing in with an identity provider or a directory."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from zcbus.kit.saml.provider import SamlProvider


@dataclass(frozen=True, slots=True)
class OpenIdSettings:
    """The OpenID Connect provider for sign-in, and the token claim with the account."""

    issuer: str
    client_id: str
    client_secret: str | None
    name: str
    user_claim: str


@dataclass(frozen=True, slots=True)
class SamlSettings:
    """The identity provider of SAML 2.0 for sign-in."""

    provider: "SamlProvider"
    # What the sign-in page calls it.
    name: str
    # The attribute with the account; empty: the NameID.
    user_attribute: str
    # The platform's name at the provider; empty: the address of its metadata.
    entity_id: str


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


SAML_METADATA = "metadata of one SAML 2.0 identity provider: a file, or the XML itself"

_MAX_METADATA_BYTES = 4 << 20


def parse_saml_metadata(value: str) -> "SamlProvider | None":
    """Read metadata, or the file of this name; empty: None. Raises ValueError with the reason."""
    from zcbus.kit.saml.provider import parse_provider_metadata

    if not value.strip():
        return None
    content = value.strip().encode() if value.lstrip().startswith("<") else _content_of(Path(value))
    provider = parse_provider_metadata(content)
    try:
        parse_provider(provider.sign_in_url)
    except ValueError:
        raise ValueError(f"the sign-in page must be {PROVIDER_ADDRESS}") from None
    return provider


def _content_of(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_METADATA_BYTES + 1)
    except OSError as error:
        raise ValueError(str(error)) from error
    if len(content) > _MAX_METADATA_BYTES:
        raise ValueError("the file is too large")
    return content


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
