"""A response proves a user only if the provider signed it, for this platform, for now; attacks on signed XML fail."""

from datetime import timedelta

import pytest
from lxml import etree
from tests.support.saml_responses import ISSUER, NOW, OWN, Said, provider, response, signed, signing

from zcbus.kit.saml.provider import SamlProvider
from zcbus.kit.saml.response import SKEW, AssertionEncryptedError, ProvedUser, ResponseRefusedError, proved_user
from zcbus.kit.saml.xml import DS

SAID = Said()
EVIL = SAID.changed(name="admin", id="evil")


def prove(
    text: str, attribute: str = "", by: SamlProvider | None = None, later: timedelta = timedelta(0)
) -> ProvedUser:
    return proved_user(text.encode(), by or provider(), OWN, attribute, NOW + later)


def refusal(text: str, attribute: str = "", by: SamlProvider | None = None, later: timedelta = timedelta(0)) -> str:
    with pytest.raises(ResponseRefusedError) as caught:
        prove(text, attribute, by, later)
    return str(caught.value)


def of(said: Said = SAID, **changed: str) -> str:
    return response(signed(said.text()), **changed)


def test_a_signed_assertion_or_a_signed_response_proves_the_user() -> None:
    expected = ProvedUser("olga", "_request", "assertion", SAID.until + SKEW)
    assert prove(of()) == expected
    assert prove(signed(response(SAID.text()))) == expected
    assert prove(signed(of())) == expected


def test_the_name_is_the_attribute_that_is_set() -> None:
    said = SAID.changed(attributes={"uid": ["olga"], "mail": ["a@x", "b@x"], "none": [""]}, name="_transient")
    assert prove(of(said), "uid").name == "olga"
    assert refusal(of(said), "mail") == "the attribute mail has 2 values"
    assert refusal(of(said), "login") == "the attribute login has 0 values"
    assert refusal(of(said), "none") == "the user's name is empty or too long"


def test_each_certificate_of_the_metadata_counts_and_no_other() -> None:
    by_second = response(signed(SAID.text(), signing(2)))
    assert prove(by_second, by=provider(signing(1), signing(2))).name == "olga"
    assert "signature does not hold" in refusal(by_second)
    assert refusal(of(), by=provider(valid_until=NOW)) == "the provider's metadata have expired"


@pytest.mark.parametrize(
    ("said", "changed", "reason"),
    [
        (SAID.changed(issuer="https://other.example"), {}, "the assertion is of another issuer"),
        (SAID, {"issuer": "https://other.example"}, "the response is of another issuer"),
        (SAID.changed(audience="https://other.example"), {}, "the audience is another"),
        (SAID.changed(audience=None), {}, "the assertion has no audience"),
        (SAID.changed(recipient="https://other.example/response"), {}, "the recipient is another"),
        (SAID, {"destination": "https://other.example/response"}, "it is for another address"),
        (SAID.changed(request=None), {}, "it answers no request"),
        (SAID, {"request": "_other"}, "it answers another request than its assertion"),
        (SAID, {"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"}, "the provider answers"),
        (SAID.changed(statement=""), {}, "does not say that the user signed in"),
        (SAID.changed(condition="<saml:Condition/>"), {}, "the assertion has unknown conditions"),
        (
            SAID.changed(
                condition="<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>"
            ),
            {},
            "the audience is another",
        ),
        (SAID.changed(name="<b>olga</b>"), {}, "a text contains other nodes"),
        (SAID.changed(name=""), {}, "the user's name is empty or too long"),
        (SAID.changed(name="o" * 201), {}, "the user's name is empty or too long"),
    ],
)
def test_what_is_not_for_this_sign_in_proves_no_one(said: Said, changed: dict[str, str], reason: str) -> None:
    assert reason in refusal(of(said, **changed))


def test_clocks_may_differ_by_a_minute() -> None:
    text, second = of(), timedelta(seconds=1)
    assert prove(text, later=SAID.until - NOW + SKEW - second).name == "olga"
    assert refusal(text, later=SAID.until - NOW + SKEW) == "it is not valid any more"
    assert prove(text, later=SAID.since - NOW - SKEW).name == "olga"
    assert refusal(text, later=SAID.since - NOW - SKEW - second) == "it is not valid yet"
    over = f'<saml:AuthnStatement AuthnInstant="x" SessionNotOnOrAfter="{NOW - SKEW:%Y-%m-%dT%H:%M:%S.0000000Z}"/>'
    assert refusal(of(SAID.changed(statement=over))) == "the session at the provider is over"


def test_nothing_unsigned_counts() -> None:
    assert refusal(response(SAID.text())) == "nothing of it is signed"
    for change in (("olga", "admin"), ('"_request"', '"_other"'), (ISSUER, "https://other.example")):
        assert "signature does not hold" in refusal(signed(response(SAID.text())).replace(*change))
    assert "InvalidDigest" in refusal(of().replace("olga", "admin"))


def test_a_signature_around_an_unsigned_assertion_does_not_count() -> None:
    """The assertion of another, with the signature's element taken out of a signed one."""
    signature = etree.fromstring(of()).find(".//{*}Signature")
    assert signature is not None
    text = EVIL.text().replace("<saml:Subject>", etree.tostring(signature).decode() + "<saml:Subject>", 1)
    assert "signature does not hold" in refusal(response(text))
    same_id = text.replace('ID="evil"', 'ID="assertion"')
    assert "InvalidDigest" in refusal(response(same_id))


def _with_object(text: str, hidden: str) -> str:
    element = etree.fromstring(text)
    signature = element.find("{*}Signature")
    assert signature is not None
    etree.SubElement(signature, f"{{{DS}}}Object").append(etree.fromstring(hidden))
    return etree.tostring(element).decode()


@pytest.mark.parametrize(
    "text",
    [
        # With the signed one, before and behind it, under another id and the same.
        response(EVIL.text() + signed(SAID.text())),
        response(signed(SAID.text()) + EVIL.text()),
        response(signed(SAID.text()) + EVIL.changed(id="assertion").text()),
        # The signed one hidden in an extension, in the unsigned one, in its signature.
        response(EVIL.text()).replace(
            "<samlp:Status>", f"<samlp:Extensions>{signed(SAID.text())}</samlp:Extensions><samlp:Status>"
        ),
        response(
            EVIL.text().replace("<saml:Subject>", f"<saml:Advice>{signed(SAID.text())}</saml:Advice><saml:Subject>")
        ),
        response(_with_object(signed(EVIL.text(), signing(2)), signed(SAID.text()))),
        # A signed response inside an unsigned one.
        response(EVIL.text()).replace(
            "<samlp:Status>", f"<samlp:Extensions>{signed(response(SAID.text()))}</samlp:Extensions><samlp:Status>"
        ),
        # The signed one in an element of another name.
        response(f"<x>{signed(SAID.text())}</x>"),
    ],
)
def test_a_moved_or_duplicated_assertion_is_refused(text: str) -> None:
    """Signature wrapping: the signed assertion stays somewhere, another stands in its place."""
    assert refusal(text) in (
        "it has 2 assertions",
        "the assertion is not where it belongs",
    )


def test_a_detached_signature_of_another_element_is_refused() -> None:
    """An element with the signed ID besides the assertion, which refers to it."""
    assert refusal(of().replace("<samlp:Status>", '<samlp:Status ID="assertion">')) == "an ID occurs twice"
    outer = signed(response(SAID.text()))
    moved = etree.fromstring(outer)
    signature, assertion = moved.find("{*}Signature"), moved.find("{*}Assertion")
    assert signature is not None
    assert assertion is not None
    assertion.insert(1, signature)
    assert "signature does not hold" in refusal(etree.tostring(moved).decode())


@pytest.mark.parametrize(
    "change",
    [
        ("olga", "olga<!---->.evil"),
        ("olga", "<![CDATA[olga]]>"),
        ("<samlp:Response", '<!DOCTYPE x [<!ENTITY e "olga">]><samlp:Response'),
    ],
)
def test_comments_and_declarations_are_refused(change: tuple[str, str]) -> None:
    assert refusal(of().replace(*change)) == "it has declarations or comments"


def test_a_comment_cuts_no_name_short_and_an_instruction_neither() -> None:
    """A signature does not cover comments: olga<!---->.evil is signed as olga.evil."""
    whole = of(SAID.changed(name="olga.evil"))
    assert refusal(whole.replace("olga.evil", "olga<!---->.evil")) == "it has declarations or comments"
    assert "signature does not hold" in refusal(whole.replace("olga.evil", "olga<?x?>.evil"))
    assert refusal(of(SAID.changed(name="olga<?x?>.evil"))) == "a text contains other nodes"


def test_weak_and_foreign_algorithms_are_refused() -> None:
    text = of()
    for method in ("http://www.w3.org/2001/04/xmldsig-more#hmac-sha256", "http://www.w3.org/2000/09/xmldsig#rsa-sha1"):
        assert "signature does not hold" in refusal(
            text.replace("http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", method)
        )


@pytest.mark.parametrize(
    "text",
    ["", "no XML", "<a/>", "\ufeff", "<samlp:Response/>", "<a>" * 300 + "</a>" * 300, "<a>" + "<b/>" * 6000 + "</a>"],
    ids=lambda text: text[:10],
)
def test_what_is_no_response_is_refused(text: str) -> None:
    refusal(text)


def test_what_is_encrypted_is_refused_with_the_reason() -> None:
    with pytest.raises(AssertionEncryptedError, match="the assertion is encrypted"):
        prove(response("<saml:EncryptedAssertion/>"))
    name = "<saml:NameID>olga</saml:NameID>"
    assert name in SAID.text()
    hidden = SAID.changed(attributes={"uid": ["olga"]}).text().replace(name, "<saml:EncryptedID/>")
    with pytest.raises(AssertionEncryptedError, match="name is encrypted"):
        prove(response(signed(hidden)))
    assert prove(response(signed(hidden)), "uid").name == "olga"
