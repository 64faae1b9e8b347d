"""What the platform says to an identity provider: a signed request for a sign-in, and its own metadata."""

import base64
import zlib
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from lxml import etree

from zcbus.kit.saml.provider import SamlProvider
from zcbus.kit.saml.xml import DS, MD, SAML, SAMLP, tag, text_of_moment

POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

_RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
_RAW_DEFLATE = -15


@dataclass(frozen=True, slots=True)
class OwnSide:
    """The platform as identity providers know it: its name, and the address that takes their responses."""

    entity_id: str
    response_url: str


def sign_in_url(provider: SamlProvider, own: OwnSide, request_id: str, now: datetime, key: bytes) -> str:
    """The address where the browser asks the provider, by the redirect binding. `key`: PEM of an RSA key.

    `request_id`: an XML name, which comes back as InResponseTo.
    """
    request = etree.Element(tag(SAMLP, "AuthnRequest"), nsmap={"samlp": SAMLP, "saml": SAML})
    request.attrib.update(
        {
            "ID": request_id,
            "Version": "2.0",
            "IssueInstant": text_of_moment(now),
            "Destination": provider.sign_in_url,
            "ProtocolBinding": POST_BINDING,
            "AssertionConsumerServiceURL": own.response_url,
        }
    )
    etree.SubElement(request, tag(SAML, "Issuer")).text = own.entity_id
    question = {"SAMLRequest": base64.b64encode(_deflated(etree.tostring(request))), "SigAlg": _RSA_SHA256}
    # The signature is over the query as it is sent (saml-bindings-2.0-os, 3.4.4.1).
    signed = urlencode(question)
    query = f"{signed}&{urlencode({'Signature': base64.b64encode(_signature(signed.encode(), key))})}"
    return f"{provider.sign_in_url}{'&' if urlsplit(provider.sign_in_url).query else '?'}{query}"


def own_metadata(own: OwnSide, certificate: bytes) -> bytes:
    """The platform's metadata, for the provider's administrator. `certificate`: PEM.

    No key for encryption is offered: responses travel over TLS.
    """
    entity = etree.Element(tag(MD, "EntityDescriptor"), nsmap={"md": MD, "ds": DS}, entityID=own.entity_id)
    role = etree.SubElement(
        entity,
        tag(MD, "SPSSODescriptor"),
        AuthnRequestsSigned="true",
        WantAssertionsSigned="true",
        protocolSupportEnumeration=SAMLP,
    )
    parent = etree.SubElement(role, tag(MD, "KeyDescriptor"), use="signing")
    for name in ("KeyInfo", "X509Data", "X509Certificate"):
        parent = etree.SubElement(parent, tag(DS, name))
    parent.text = "".join(certificate.decode("ascii").strip().splitlines()[1:-1])
    etree.SubElement(
        role,
        tag(MD, "AssertionConsumerService"),
        Binding=POST_BINDING,
        Location=own.response_url,
        index="0",
        isDefault="true",
    )
    return bytes(etree.tostring(entity, xml_declaration=True, encoding="UTF-8", pretty_print=True))


def _deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=_RAW_DEFLATE)
    return packer.compress(content) + packer.flush()


def _signature(content: bytes, key: bytes) -> bytes:
    # The check of a key takes longer than all else, and this one is the platform's own.
    private = load_pem_private_key(key, None, unsafe_skip_rsa_key_validation=True)
    if not isinstance(private, rsa.RSAPrivateKey):
        raise TypeError("requests are signed with an RSA key")
    return private.sign(content, padding.PKCS1v15(), SHA256())
