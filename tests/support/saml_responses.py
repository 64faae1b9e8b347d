"""Responses of an identity provider, right but for what a test changes. Signed with the signer of signxml."""

import base64
import datetime
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from lxml import etree
from signxml import SignatureReference, XMLSigner
from signxml.algorithms import CanonicalizationMethod, SignatureMethod

from zcbus.kit.saml.provider import SamlProvider
from zcbus.kit.saml.request import OwnSide
from zcbus.kit.saml.xml import text_of_moment

NOW = datetime.datetime(2026, 11, 28, 8, 0, tzinfo=datetime.UTC)
ISSUER = "https://idp.example/metadata"
OWN = OwnSide("https://bus.example/metadata", "https://bus.example/response")

_EXC_C14N = CanonicalizationMethod.EXCLUSIVE_XML_CANONICALIZATION_1_0
_ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}Assertion"

_RESPONSE = """<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
 xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="response" Version="2.0" IssueInstant="{now}"
 Destination="{destination}" InResponseTo="{request}"><saml:Issuer>{issuer}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status>{assertion}</samlp:Response>"""
_TEXT = """<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0"
 IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject><saml:NameID>{name}</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData
 {in_response_to} Recipient="{recipient}" NotOnOrAfter="{until}"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="{since}" NotOnOrAfter="{until}">{condition}</saml:Conditions>
{statement}<saml:AttributeStatement>{attributes}</saml:AttributeStatement></saml:Assertion>"""


@dataclass(frozen=True)
class Signing:
    """A provider's key and certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: bytes

    @property
    def der(self) -> bytes:
        return x509.load_pem_x509_certificate(self.certificate).public_bytes(Encoding.DER)


@dataclass(frozen=True)
class Said:
    """What an assertion says. `escape`d by nothing: tests may write markup."""

    name: str = "olga"
    id: str = "assertion"
    issuer: str = ISSUER
    request: str | None = "_request"
    recipient: str = OWN.response_url
    audience: str | None = OWN.entity_id
    since: datetime.datetime = NOW - datetime.timedelta(minutes=1)
    until: datetime.datetime = NOW + datetime.timedelta(minutes=5)
    condition: str = ""
    statement: str = f'<saml:AuthnStatement AuthnInstant="{text_of_moment(NOW)}"/>'
    attributes: dict[str, list[str]] = field(default_factory=dict)

    def changed(self, **fields: Any) -> "Said":
        return replace(self, **fields)

    def text(self) -> str:
        audience = f"<saml:Audience>{self.audience}</saml:Audience>"
        attributes = (
            f'<saml:Attribute Name="{name}">'
            + "".join(f"<saml:AttributeValue>{escape(value)}</saml:AttributeValue>" for value in values)
            + "</saml:Attribute>"
            for name, values in self.attributes.items()
        )
        return _TEXT.format(
            id=self.id,
            now=text_of_moment(NOW),
            issuer=self.issuer,
            name=self.name,
            in_response_to=f'InResponseTo="{self.request}"' if self.request else "",
            recipient=self.recipient,
            since=text_of_moment(self.since),
            until=text_of_moment(self.until),
            condition=(f"<saml:AudienceRestriction>{audience}</saml:AudienceRestriction>" if self.audience else "")
            + self.condition,
            statement=self.statement,
            attributes="".join(attributes),
        )


@cache
def signing(number: int = 1) -> Signing:
    """The key of the test's provider (1), or another's."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"provider {number}")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(number)
        # Long over: what counts is that the metadata name it.
        .not_valid_before(NOW - datetime.timedelta(days=800))
        .not_valid_after(NOW - datetime.timedelta(days=400))
        .sign(key, hashes.SHA256())
    )
    return Signing(key, certificate.public_bytes(Encoding.PEM))


def provider(*signings: Signing, **changed: Any) -> SamlProvider:
    certificates = tuple(one.der for one in signings or (signing(),))
    return replace(SamlProvider(ISSUER, "https://idp.example/sso", certificates), **changed)


def signed(text: str, by: Signing | None = None) -> str:
    """The text of an element with its signature behind its Issuer, as the schema has it."""
    by = by or signing()
    element = etree.fromstring(text)
    place = etree.Element("{http://www.w3.org/2000/09/xmldsig#}Signature", Id="placeholder")
    element.insert(1, place)
    signer = XMLSigner(signature_algorithm=SignatureMethod.ECDSA_SHA256, c14n_algorithm=_EXC_C14N)
    done = signer.sign(
        element,
        key=by.key,
        cert=by.certificate.decode(),
        reference_uri=[SignatureReference("#" + element.get("ID"), c14n_method=_EXC_C14N)],
        id_attribute="ID",
    )
    return etree.tostring(done).decode()


def response(assertion: str, **changed: str) -> str:
    """An unsigned response around an assertion's text."""
    values = {
        "now": text_of_moment(NOW),
        "destination": OWN.response_url,
        "request": "_request",
        "issuer": ISSUER,
        "status": "urn:oasis:names:tc:SAML:2.0:status:Success",
    }
    return _RESPONSE.format(**{**values, **changed}, assertion=assertion)


def metadata(
    *signings: Signing, sign_in_url: str = "https://idp.example/sso", entity_id: str = ISSUER, more: str = ""
) -> str:
    """The provider's metadata."""
    keys = "".join(
        '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>'
        f"{base64.encodebytes(one.der).decode()}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
        for one in signings or (signing(),)
    )
    return f"""<?xml version="1.0"?><!-- as providers write them --><md:EntityDescriptor {more} entityID="{entity_id}"
 xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><md:IDPSSODescriptor
 protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">{keys}
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="{sign_in_url}"/>
</md:IDPSSODescriptor></md:EntityDescriptor>"""
