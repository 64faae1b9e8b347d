"""XML of other parties: bounded, without document types, entities and network access."""

from datetime import UTC, datetime
from typing import Any

from lxml import etree

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol"
MD = "urn:oasis:names:tc:SAML:2.0:metadata"
DS = "http://www.w3.org/2000/09/xmldsig#"
NAMES = {"saml": SAML, "samlp": SAMLP, "md": MD, "ds": DS}

Element = Any
"""An element of lxml, which brings no types."""

_MAX_DEPTH = 40
_MAX_ELEMENTS = 5000


class XmlRefusedError(ValueError):
    """The text is no XML that is accepted here."""


def parse(content: bytes) -> Element:
    """The root element of UTF-8 XML. Raises XmlRefusedError."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise XmlRefusedError(f"not XML: {error}") from None
    if root.getroottree().docinfo.doctype:
        raise XmlRefusedError("it has a document type")
    _check_size(root)
    return root


def _check_size(root: Element) -> None:
    depth = count = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        count += event == "start"
        if depth > _MAX_DEPTH or count > _MAX_ELEMENTS:
            raise XmlRefusedError("it has too many elements")


def tag(namespace: str, name: str) -> str:
    """A qualified name as lxml writes it."""
    return f"{{{namespace}}}{name}"


def text_of(element: Element) -> str:
    """The text of an element without children. Raises XmlRefusedError for one with children, also comments: they would
    divide the text."""
    if len(element):
        raise XmlRefusedError("a text contains other nodes")
    return str(element.text or "").strip()


def moment_of(text: str) -> datetime:
    """An xs:dateTime; without an offset it is UTC, as SAML demands. Raises XmlRefusedError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise XmlRefusedError("a time cannot be read") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def text_of_moment(moment: datetime) -> str:
    """An xs:dateTime in UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
