"""Reads a description and writes the document of selected operations; see importing.DocumentImporter."""

from collections.abc import Iterator, Sequence
from itertools import chain
from urllib.parse import urljoin, urlsplit

from zcbus.connectors.http.client import Client, HttpRefusal
from zcbus.connectors.http.document import Interface
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.openapi.description import Description, as_object
from zcbus.connectors.http.openapi.operations import Candidate, candidates
from zcbus.connectors.http.openapi.rendering import rendered
from zcbus.connectors.http.openapi.sign_in import auth_of
from zcbus.connectors.http.openapi.text import parse
from zcbus.connectors.http.spec import MAX_DOCUMENT_LENGTH, HttpOptions
from zcbus.connectors.importing import DocumentImport, Guess, ImportInvalid, ImportTooLong, Operation
from zcbus.connectors.options import OptionFault

_MAX_PARAMETERS = 2000
_NO_RESOURCE = {"name": "none", "path": "/", "key": ["id"], "columns": {"id": "text"}}
"""An interface has one at least; it is not read."""


class OpenApiImporter:
    """See DocumentImporter."""

    def read(self, text: str, address: str, selected: Sequence[str]) -> DocumentImport:
        description = Description(parse(text or _text_at(address)))
        found = list(candidates(description))
        operations = tuple(Operation(one.path, one.summary, len(one.resource["columns"])) for one in found)
        title = str(as_object(description.root.get("info")).get("title", ""))[:200]
        wanted = frozenset(selected)
        chosen = [one for one in found if one.path in wanted]
        if not chosen:
            return DocumentImport(title, operations, {})
        auth, is_guess = auth_of(description, chosen[0].operation)
        text = rendered(title, auth, [one.resource for one in chosen], is_auth_guessed=is_guess)
        _check(text)
        parameters = ", ".join(f"{name}=" for name in dict.fromkeys(chain(*(one.parameters for one in chosen))))
        values = {"definition": text, "url": _server(description, address), "parameters": parameters[:_MAX_PARAMETERS]}
        guesses = [Guess("", "auth", auth["type"])] if is_guess else []
        return DocumentImport(title, operations, values, (*guesses, *chain(*map(_guesses, chosen))))


def _text_at(address: str) -> str:
    options = _options(address)
    client = Client(options, Interface.model_validate({"resources": [_NO_RESOURCE]}), patient=False)
    parts = urlsplit(address)
    try:
        return client.text(f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/")
    except HttpRefusal as error:
        raise ImportInvalid(detail=str(error)) from error
    finally:
        client.close()


def _options(address: str) -> HttpOptions:
    """Of the address's origin, under the rules of connections. Raises ImportInvalid."""
    try:
        parts = urlsplit(address)
        return HttpOptions(url=f"{parts.scheme}://{parts.netloc}")
    except ValueError as error:
        raise ImportInvalid(detail=f"{address[:200]}: no address") from error


def _server(description: Description, address: str) -> str:
    """URL of the first server, with the defaults of its variables; empty where it is none that a connection takes."""
    servers = description.root.get("servers")
    server = as_object(servers[0]) if isinstance(servers, list) and servers else {}
    url = str(server.get("url", "/"))
    for name, variable in as_object(server.get("variables")).items():
        url = url.replace(f"{{{name}}}", str(as_object(variable).get("default", "")))
    try:
        joined = urljoin(address, url).rstrip("/")
        HttpOptions(url=joined)
    except ValueError:
        return ""
    return joined


def _guesses(candidate: Candidate) -> Iterator[Guess]:
    resource = candidate.resource
    yield Guess(resource["name"], "key", resource["key"][0])
    yield Guess(resource["name"], "pages", resource.get("pages", {"type": "none"})["type"])


def _check(text: str) -> None:
    if len(text) > MAX_DOCUMENT_LENGTH:
        raise ImportTooLong(characters=len(text), limit=MAX_DOCUMENT_LENGTH)
    try:
        read(text)
    except OptionFault as error:
        raise ImportInvalid(detail=str(error)[:300]) from error
