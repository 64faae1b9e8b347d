"""The provider's metadata are read strictly; requests are signed so that the provider can check them."""

import base64
import zlib
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from lxml import etree
from tests.support.saml_responses import ISSUER, NOW, OWN, metadata, provider, signing

from zcbus.kit.certificates import KeyPair, make_signing_certificate
from zcbus.kit.saml.provider import SamlProvider, parse_provider_metadata
from zcbus.kit.saml.request import own_metadata, sign_in_url
from zcbus.kit.saml.xml import DS, MD


@pytest.fixture(scope="module")
def pair() -> KeyPair:
    return make_signing_certificate(NOW, "zcbus")


def test_metadata_name_provider_page_and_keys() -> None:
    text = metadata(signing(1), signing(2), more='validUntil="2026-12-01T00:00:00Z"')
    ends = NOW.replace(month=12, day=1, hour=0)
    keys = (signing(1).der, signing(2).der)
    assert parse_provider_metadata(text.encode()) == SamlProvider(ISSUER, "https://idp.example/sso", keys, ends)
    together = f'<md:EntitiesDescriptor xmlns:md="{MD}">{text.partition("-->")[2]}</md:EntitiesDescriptor>'
    assert parse_provider_metadata(together.encode()).entity_id == ISSUER


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not XML"),
        ("<a/>", "describe 0 identity providers"),
        (metadata().replace("<!-- as", "<!DOCTYPE x><!-- as"), "document type"),
        (metadata().replace("IDPSSODescriptor", "SPSSODescriptor"), "describe 0 identity providers"),
        (metadata().replace("SAML:2.0:protocol", "SAML:1.1:protocol"), "no role"),
        (metadata().replace("HTTP-Redirect", "SOAP"), "no sign-in page"),
        (metadata().replace('use="signing"', 'use="encryption"'), "no signing certificate"),
        (metadata(entity_id=""), "no entityID"),
        (metadata().replace("<ds:X509Certificate>", "<ds:X509Certificate>AAAA"), "cannot be read"),
        (metadata(more='validUntil="soon"'), "a time cannot be read"),
    ],
    ids=range(10),
)
def test_metadata_that_do_not_serve_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_provider_metadata(text.encode())


def test_a_request_is_signed_over_the_query_as_it_is_sent(pair: KeyPair) -> None:
    for page, joint in (("https://idp.example/sso", "?"), ("https://idp.example/sso?realm=a", "&")):
        url = sign_in_url(provider(sign_in_url=page), OWN, "_one", NOW, pair.key)
        assert url.startswith(f"{page}{joint}SAMLRequest=")
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        signed = url.removeprefix(f"{page}{joint}").partition("&Signature=")[0]
        public = x509.load_pem_x509_certificate(pair.certificate).public_key()
        assert isinstance(public, rsa.RSAPublicKey)
        public.verify(base64.b64decode(query["Signature"]), signed.encode(), padding.PKCS1v15(), SHA256())
        request = etree.fromstring(zlib.decompress(base64.b64decode(query["SAMLRequest"]), -15))
        assert dict(request.attrib) == {
            "ID": "_one",
            "Version": "2.0",
            "IssueInstant": "2026-11-28T08:00:00Z",
            "Destination": page,
            "ProtocolBinding": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
            "AssertionConsumerServiceURL": OWN.response_url,
        }
        assert [one.text for one in request] == [OWN.entity_id]


def test_the_own_metadata_name_address_and_key(pair: KeyPair) -> None:
    root = etree.fromstring(own_metadata(OWN, pair.certificate))
    services = root.findall(f".//{{{MD}}}AssertionConsumerService")
    assert [one.get("Location") for one in services] == [OWN.response_url]
    content = base64.b64decode(root.findtext(f".//{{{DS}}}X509Certificate") or "")
    certificate = x509.load_der_x509_certificate(content)
    assert certificate == x509.load_pem_x509_certificate(pair.certificate)
    assert certificate.not_valid_after_utc - NOW > timedelta(days=3600)
