"""Where the files are: by a page and those that it leads to, by a manifest, or by lines."""

from collections import deque
from collections.abc import Callable
from typing import Literal, Protocol

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.stores.web import links
from zcbus.connectors.stores.web.client import Gone, WebAccess, WebClient, shown
from zcbus.connectors.stores.web.facts import Facts
from zcbus.connectors.stores.web.spool import NotSpooled, unpacked

_MAX_LIST_BYTES = 16 << 20
_MAX_PAGES = 1_000

Kind = Literal["page", "manifest", "lines"]


class Listing(Protocol):
    """Raises SourceUnavailable, AccessDenied."""

    def files(self, client: WebClient, is_selected: Callable[[str], bool]) -> dict[str, str]:
        """Addresses by the files' names, of those that are selected."""


def listing(kind: Kind, access: WebAccess, text: str) -> Listing:
    """`text`: the lines."""
    return {"page": _Pages, "manifest": _Manifest, "lines": _Lines}[kind](access, text)


class _Lines:
    def __init__(self, access: WebAccess, text: str) -> None:
        self._access, self._text = access, text

    def files(self, client: WebClient, is_selected: Callable[[str], bool]) -> dict[str, str]:
        try:
            found = links.of_lines(self._text, self._access.url)
        except links.NotListed as error:
            raise self._access.unavailable(str(error)) from error
        if not found:
            raise self._access.unavailable("no address of a file is declared")
        return {name: url for name, url in found.items() if is_selected(name)}


class _Manifest(_Lines):
    def files(self, client: WebClient, is_selected: Callable[[str], bool]) -> dict[str, str]:
        url = self._access.url
        body, final, _ = _body(client, self._access, url)
        try:
            found = links.of_manifest(body, final)
        except links.NotListed as error:
            raise self._access.unavailable(f"{shown(url)}: {error}") from error
        return {name: target for name, target in found.items() if is_selected(name)}


class _Pages(_Lines):
    def files(self, client: WebClient, is_selected: Callable[[str], bool]) -> dict[str, str]:
        found: dict[str, str] = {}
        seen, waiting, base = {self._access.url}, deque([self._access.url]), ""
        while waiting:
            body, final, facts = _body(client, self._access, waiting.popleft())
            if not facts.is_page:
                raise self._access.unavailable(f"{shown(final)}: no page (text/html)")
            base = base or links.folder_of(final)
            page = links.of_page(body.decode("utf-8", "replace"), final, base)
            found |= {name: url for name, url in page.files.items() if is_selected(name)}
            fresh = [url for url in dict.fromkeys(page.folders) if url not in seen]
            seen.update(fresh)
            waiting.extend(fresh)
            if len(seen) > _MAX_PAGES:
                raise self._access.unavailable(f"more than {_MAX_PAGES} pages")
        if not found:
            # Whatever the page says instead, such as that it is being worked on, files are not to look removed.
            raise self._access.unavailable(f"{shown(self._access.url)}: the page has no link to a file that is read")
        return found


def _body(client: WebClient, access: WebAccess, url: str) -> tuple[bytes, str, Facts]:
    """A list, the address that it came from in the end, and what its headers say."""
    found = bytearray()
    try:
        with client.content(url) as response:
            facts = Facts.of(response)
            if (facts.is_encoded and not facts.is_packed) or not (facts.is_bounded or facts.is_encoded):
                raise access.unavailable(f"{shown(url)}: a content whose end is not certain")
            parts = client.body(response)
            for part in unpacked(parts) if facts.is_encoded else parts:
                found += part
                if len(found) > _MAX_LIST_BYTES:
                    raise access.unavailable(f"{shown(url)}: more than {_MAX_LIST_BYTES >> 20} MiB")
            return bytes(found), str(response.url), facts
    except Gone as error:
        raise SourceUnavailable(kind=access.kind, address=access.url, detail=str(error)) from error
    except NotSpooled as error:
        raise access.unavailable(f"{shown(url)}: {error}") from error
