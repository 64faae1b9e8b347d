"""A provider's response: who it proves, or why it proves no one.

Only what the provider signed is read: the canonical text that the signature covers is parsed again, and nothing around
it counts. Documents in which an assertion was moved or duplicated have another form and are refused before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.exceptions import SignXMLException
from signxml.verifier import SignatureConfiguration, XMLVerifier

from zcbus.kit.saml.provider import SamlProvider
from zcbus.kit.saml.request import OwnSide
from zcbus.kit.saml.xml import DS, NAMES, SAML, SAMLP, Element, XmlRefusedError, moment_of, parse, tag, text_of

SKEW = timedelta(seconds=60)
"""How much the provider's clock may differ."""

_MAX_NAME_LENGTH = 200
_SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
_BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
_CONDITIONS = {tag(SAML, name) for name in ("AudienceRestriction", "OneTimeUse", "ProxyRestriction")}
# Signed with the provider's private key; a shared secret, DSA and SHA-1 are refused.
_METHODS = frozenset(
    SignatureMethod[f"{family.format(bits)}"]
    for family in ("RSA_SHA{}", "ECDSA_SHA{}", "SHA{}_RSA_MGF1")
    for bits in (256, 384, 512)
)
_DIGESTS = frozenset(DigestAlgorithm[f"SHA{bits}"] for bits in (256, 384, 512))


class ResponseRefusedError(ValueError):
    """The response proves no user. The text says why, for the log."""


class AssertionEncryptedError(ResponseRefusedError):
    """The provider encrypts for a key that is not the platform's: it has none for that."""


@dataclass(frozen=True, slots=True)
class ProvedUser:
    """The user and the request that the response answers. The assertion of this id counts once, until `until`."""

    name: str
    request_id: str
    assertion_id: str
    until: datetime


def proved_user(content: bytes, provider: SamlProvider, own: OwnSide, user_attribute: str, now: datetime) -> ProvedUser:
    """The user that a response (UTF-8 XML) proves to `own`. Raises ResponseRefusedError.

    `user_attribute`: the attribute with the user's name; empty: the subject's NameID. Whether the request was this
    browser's, and whether the assertion is new, is for the caller to check.
    """
    try:
        return _proved(content, provider, own, user_attribute, now)
    except XmlRefusedError as error:
        raise ResponseRefusedError(str(error)) from None


def _proved(content: bytes, provider: SamlProvider, own: OwnSide, user_attribute: str, now: datetime) -> ProvedUser:
    # Document types, comments and CDATA begin so: the first are dangerous, the others have no use here.
    if b"<!" in content:
        raise ResponseRefusedError("it has declarations or comments")
    if provider.valid_until is not None and provider.valid_until <= now:
        raise ResponseRefusedError("the provider's metadata have expired")
    response = parse(content)
    _check_form(response)
    assertion = _signed_assertion(response, provider)
    _require(_only_text(assertion, "saml:Issuer") == provider.entity_id, "the assertion is of another issuer")
    request_id, until = _confirmation(assertion, own, now)
    _check_envelope(response, provider, own, request_id)
    _check_conditions(assertion, own, now)
    _check_statement(assertion, now)
    return ProvedUser(_name(assertion, user_attribute), request_id, assertion.get("ID"), until + SKEW)


def _check_form(response: Element) -> None:
    """One response with one assertion; signatures only where the profile has them."""
    _require(response.tag == tag(SAMLP, "Response") and response.get("Version") == "2.0", "it is no SAML response")
    code = response.find("samlp:Status/samlp:StatusCode", NAMES)
    if code is None or code.get("Value") != _SUCCESS:
        values = [one.get("Value") for one in response.iterfind("samlp:Status//samlp:StatusCode", NAMES)]
        raise ResponseRefusedError(f"the provider answers {values}")
    assertions = list(response.iter(tag(SAML, "Assertion")))
    if list(response.iter(tag(SAML, "EncryptedAssertion"))):
        raise AssertionEncryptedError("the assertion is encrypted")
    _require(len(assertions) == 1, f"it has {len(assertions)} assertions")
    _require(assertions[0].getparent() is response, "the assertion is not where it belongs")
    holders = [one.getparent() for one in response.iter(tag(DS, "Signature"))]
    _require(all(one is response or one is assertions[0] for one in holders), "a signature is not where it belongs")
    _require(len(holders) == len(set(holders)), "an element has several signatures")
    _require(bool(holders), "nothing of it is signed")
    ids = [one.get("ID") for one in response.iter() if one.get("ID") is not None]
    _require(len(ids) == len(set(ids)), "an ID occurs twice")


def _signed_assertion(response: Element, provider: SamlProvider) -> Element:
    """The assertion as it was signed, alone or with the whole response."""
    whole = response if response.find("ds:Signature", NAMES) is not None else response.find("saml:Assertion", NAMES)
    signed = _verified(whole, provider)
    same = (signed.tag, signed.get("ID")) == (whole.tag, whole.get("ID"))
    _require(same and signed.get("ID"), "the signature is over something else")
    if signed.tag == tag(SAML, "Assertion"):
        return signed
    assertions = signed.findall("saml:Assertion", NAMES)
    _require(len(assertions) == 1, "the signed response has no assertion")
    _require(assertions[0].get("ID"), "the assertion has no ID")
    return assertions[0]


def _verified(element: Element, provider: SamlProvider) -> Element:
    """What the element's own signature covers, parsed from the canonical text."""
    alone, reasons = etree.tostring(element, with_tail=False), set()
    for certificate in provider.certificates:
        try:
            return _covered(alone, x509.load_der_x509_certificate(certificate))
        # The library lets more than its own errors through where a signature is malformed.
        except (
            *(SignXMLException, InvalidSignature, etree.LxmlError, AttributeError),
            *(ValueError, KeyError, TypeError, IndexError, NotImplementedError),
        ) as error:
            reasons.add(f"{type(error).__name__}: {error}")
    raise ResponseRefusedError(f"the signature does not hold: {sorted(reasons)}")


def _covered(content: bytes, certificate: x509.Certificate) -> Element:
    configuration = SignatureConfiguration(
        location="./",
        signature_methods=_METHODS,
        digest_algorithms=_DIGESTS,
        # The metadata vouch for the key for as long as they name it.
        verification_time=certificate.not_valid_before_utc,
    )
    result = XMLVerifier().verify(content, x509_cert=certificate, id_attribute="ID", expect_config=configuration)
    _require(not isinstance(result, list) and result.signed_xml is not None, "what is signed is no element")
    return result.signed_xml  # type: ignore[union-attr]


def _check_envelope(response: Element, provider: SamlProvider, own: OwnSide, request_id: str) -> None:
    """What the response itself says must agree with the assertion, where it says it."""
    _require(response.get("Destination", own.response_url) == own.response_url, "it is for another address")
    _require(response.get("InResponseTo", request_id) == request_id, "it answers another request than its assertion")
    issuers = [text_of(one) for one in response.findall("saml:Issuer", NAMES)]
    _require(issuers in ([], [provider.entity_id]), "the response is of another issuer")


def _confirmation(assertion: Element, own: OwnSide, now: datetime) -> tuple[str, datetime]:
    """The request that was answered, and when the assertion ends, of the confirmation that holds here."""
    reasons = []
    for confirmation in assertion.findall("saml:Subject/saml:SubjectConfirmation", NAMES):
        data = confirmation.find("saml:SubjectConfirmationData", NAMES)
        if confirmation.get("Method") != _BEARER or data is None:
            continue
        try:
            return _held(data, own, now)
        except ResponseRefusedError as error:
            reasons.append(str(error))
    raise ResponseRefusedError(", ".join(reasons) or "no confirmation of a bearer")


def _held(data: Element, own: OwnSide, now: datetime) -> tuple[str, datetime]:
    _require(data.get("Recipient") == own.response_url, "the recipient is another")
    _require(data.get("InResponseTo"), "it answers no request")
    _require(data.get("NotOnOrAfter"), "the confirmation has no end")
    _check_times(data, now)
    return str(data.get("InResponseTo")), moment_of(data.get("NotOnOrAfter"))


def _check_conditions(assertion: Element, own: OwnSide, now: datetime) -> None:
    conditions = assertion.findall("saml:Conditions", NAMES)
    _require(len(conditions) == 1, "the assertion has no conditions")
    _check_times(conditions[0], now)
    # A condition that is not understood must not be taken for fulfilled (saml-core-2.0-os, 2.5.1.1).
    _require(all(one.tag in _CONDITIONS for one in conditions[0]), "the assertion has unknown conditions")
    restrictions = conditions[0].findall("saml:AudienceRestriction", NAMES)
    _require(restrictions, "the assertion has no audience")
    for restriction in restrictions:
        audiences = [text_of(one) for one in restriction.findall("saml:Audience", NAMES)]
        _require(own.entity_id in audiences, "the audience is another")


def _check_statement(assertion: Element, now: datetime) -> None:
    statements = assertion.findall("saml:AuthnStatement", NAMES)
    _require(statements, "the assertion does not say that the user signed in")
    for statement in statements:
        end = statement.get("SessionNotOnOrAfter")
        _require(end is None or now < moment_of(end) + SKEW, "the session at the provider is over")


def _check_times(element: Element, now: datetime) -> None:
    begin, end = element.get("NotBefore"), element.get("NotOnOrAfter")
    _require(begin is None or moment_of(begin) - SKEW <= now, "it is not valid yet")
    _require(end is None or now < moment_of(end) + SKEW, "it is not valid any more")


def _name(assertion: Element, user_attribute: str) -> str:
    if not user_attribute and assertion.find("saml:Subject/saml:EncryptedID", NAMES) is not None:
        raise AssertionEncryptedError("the subject's name is encrypted")
    found = (
        list(_values(assertion, user_attribute))
        if user_attribute
        else [_only_text(assertion, "saml:Subject/saml:NameID")]
    )
    _require(len(found) == 1, f"the attribute {user_attribute} has {len(found)} values")
    _require(0 < len(found[0]) <= _MAX_NAME_LENGTH, "the user's name is empty or too long")
    return found[0]


def _values(assertion: Element, attribute: str) -> Iterator[str]:
    for element in assertion.iterfind("saml:AttributeStatement/saml:Attribute", NAMES):
        if element.get("Name") == attribute:
            yield from (text_of(value) for value in element.findall("saml:AttributeValue", NAMES))


def _only_text(parent: Element, path: str) -> str:
    found = parent.findall(path, NAMES)
    _require(len(found) == 1, f"the assertion has {len(found)} {path}")
    return text_of(found[0])


def _require(condition: object, reason: str) -> None:
    if not condition:
        raise ResponseRefusedError(reason)
