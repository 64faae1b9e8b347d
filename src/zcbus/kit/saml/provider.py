"""An identity provider as its metadata describe it."""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from zcbus.kit.saml.xml import MD, NAMES, SAMLP, Element, XmlRefusedError, moment_of, parse, tag, text_of

REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"

_MIN_RSA_BITS = 2048


@dataclass(frozen=True, slots=True)
class SamlProvider:
    """Its name, its page for sign-ins by the redirect binding, and its signing certificates in DER."""

    entity_id: str
    sign_in_url: str
    certificates: tuple[bytes, ...]
    # After this moment the metadata must not be used; None: they name none.
    valid_until: datetime | None = None


def parse_provider_metadata(content: bytes) -> SamlProvider:
    """Metadata of exactly one identity provider of SAML 2.0. Raises ValueError with the reason.

    The certificates are containers of keys: neither their issuer nor their end counts (SAML V2.0 Metadata
    Interoperability Profile, 2.6.1).
    """
    root = parse(content)
    entities = [
        one for one in root.iter(tag(MD, "EntityDescriptor")) if one.find("md:IDPSSODescriptor", NAMES) is not None
    ]
    if len(entities) != 1:
        raise XmlRefusedError(f"the metadata describe {len(entities)} identity providers")
    [entity] = entities
    roles = [one for one in entity.findall("md:IDPSSODescriptor", NAMES) if _speaks_saml_2(one)]
    if len(roles) != 1:
        raise XmlRefusedError("the metadata name no role of an identity provider of SAML 2.0")
    entity_id, certificates = entity.get("entityID"), tuple(dict.fromkeys(_certificates(roles[0])))
    if not entity_id or not certificates:
        raise XmlRefusedError("the metadata have no entityID or no signing certificate")
    ends = [moment_of(one.get("validUntil")) for one in (root, entity, roles[0]) if one.get("validUntil")]
    return SamlProvider(entity_id, _sign_in_url(roles[0]), certificates, min(ends, default=None))


def _speaks_saml_2(role: Element) -> bool:
    return SAMLP in role.get("protocolSupportEnumeration", "").split()


def _sign_in_url(role: Element) -> str:
    for service in role.findall("md:SingleSignOnService", NAMES):
        if service.get("Binding") == REDIRECT_BINDING and service.get("Location"):
            return str(service.get("Location"))
    raise XmlRefusedError("the metadata name no sign-in page for the redirect binding")


def _certificates(role: Element) -> Iterator[bytes]:
    for descriptor in role.findall("md:KeyDescriptor", NAMES):
        if descriptor.get("use", "signing") != "signing":
            continue
        for element in descriptor.findall("ds:KeyInfo/ds:X509Data/ds:X509Certificate", NAMES):
            try:
                content = base64.b64decode("".join(text_of(element).split()), validate=True)
                key = x509.load_der_x509_certificate(content).public_key()
            except (ValueError, binascii.Error):
                raise XmlRefusedError("a certificate of the metadata cannot be read") from None
            if not _is_strong(key):
                raise XmlRefusedError("a certificate of the metadata has a weak key")
            yield content


def _is_strong(key: object) -> bool:
    if isinstance(key, rsa.RSAPublicKey):
        return key.key_size >= _MIN_RSA_BITS
    return isinstance(key, ec.EllipticCurvePublicKey)
