"""Names and addresses of files: out of a page, a manifest, or the lines of an option."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_NAMED = re.compile(r"^(?P<name>\S(?:.*?\S)?) = (?P<url>\S+)$")
_ADDRESS_KEYS, _LIST_KEYS = ("url", "href", "path"), ("files", "items")
MAX_NAME = 512


class NotListed(ValueError):
    """A text that is no list of files; says what is wrong."""


@dataclass(slots=True)
class Page:
    """The links of a page that lead below a folder."""

    files: dict[str, str] = field(default_factory=dict)
    """Name → address."""
    folders: list[str] = field(default_factory=list)


def folder_of(url: str) -> str:
    """The part of an address up to the last `/` of its path."""
    plain = url.partition("?")[0].partition("#")[0]
    return plain[: plain.rindex("/") + 1] if urlsplit(plain).path else f"{plain}/"


def of_page(text: str, url: str, base: str) -> Page:
    """Links of a page at `url` to files below the folder `base`, and to folders below the page's own."""
    links, found, here = _Links(), Page(), folder_of(url)
    links.feed(text)
    links.close()
    for link in links.found:
        target = _joined(url, link).partition("#")[0]
        # Links with a query sort the page, or lead to programs.
        if "?" in target or not target.startswith(base) or target == base:
            continue
        if target.endswith("/"):
            if target.startswith(here) and target != here:
                found.folders.append(target)
        elif is_name(name := name_of(target, base)):
            found.files[name] = target
    return found


def of_manifest(body: bytes, url: str) -> dict[str, str]:
    """Files of a JSON list, or of the list at `files` or `items` of an object: texts, or objects with `url` and perhaps
    `name`. Addresses may be relative to the manifest's. Raises NotListed."""
    try:
        value = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NotListed(f"no JSON: {error}") from error
    if isinstance(value, dict):
        value = next((value[key] for key in _LIST_KEYS if key in value), None)
    if not isinstance(value, list):
        raise NotListed("no list of files")
    return _unique(_item(one, url) for one in value)


def of_lines(text: str, url: str) -> dict[str, str]:
    """Files of lines `address` or `name = address`; `#` begins a comment. Raises NotListed."""
    return _unique(
        (name or name_of(target, folder_of(url)), target)
        for name, address in (split_line(line) for line in text.splitlines() if not is_comment(line))
        for target in (_joined(url, address),)
    )


def is_comment(line: str) -> bool:
    """A line without an address."""
    return not line.strip() or line.lstrip().startswith("#")


def split_line(line: str) -> tuple[str, str]:
    """Name, which may be empty, and address. Raises NotListed."""
    line = line.strip()
    found = _NAMED.match(line)
    name, address = (found["name"], found["url"]) if found else ("", line)
    if not address or " " in address or _CONTROLS.search(address) or "#" in address:
        raise NotListed(f"no address: {address}")
    if name and not is_name(name):
        raise NotListed(f"no name: {name}")
    return name, address


def name_of(url: str, base: str) -> str:
    """A file's name by its address: what is behind the folder `base`, else the whole path."""
    plain = url.partition("?")[0]
    path = plain[len(base) :] if plain.startswith(base) else urlsplit(plain).path.lstrip("/")
    return "/".join(part if "/" in unquote(part) else unquote(part) for part in path.split("/"))


def is_name(name: str) -> bool:
    """Whether it names a file; names that begin with a dot are left out of all folders."""
    parts = name.split("/")
    return len(name) <= MAX_NAME and not _CONTROLS.search(name) and all(part and part[0] != "." for part in parts)


def _item(one: Any, url: str) -> tuple[str, str]:
    named = ""
    if isinstance(one, dict):
        named = one.get("name", "")
        one = next((one[key] for key in _ADDRESS_KEYS if key in one), None)
    if not isinstance(one, str) or not one or not isinstance(named, str):
        raise NotListed("an entry without an address")
    target = _joined(url, one)
    return named or name_of(target, folder_of(url)), target


def _unique(files: Iterator[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, target in files:
        if not is_name(name):
            raise NotListed(f"no name: {name[:100]}")
        if found.setdefault(name, target) != target:
            raise NotListed(f"two files of one name: {name}")
    return found


def _joined(url: str, link: str) -> str:
    try:
        return urljoin(url, link.strip())
    except ValueError as error:
        raise NotListed(f"no address: {link[:100]}") from error


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.extend(value for name, value in attrs if name == "href" and value)
