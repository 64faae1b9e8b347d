"""Removal of a receiver's secrets from its server's answers.

Servers quote requests: a page for an unknown address names the address, and that of a webhook is a secret.
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

SHORTEST = 6
"""Shorter parts of an address are words like `api` and `v2`; other secrets are replaced whatever their length."""
_MASK = "***"
_OF_ADDRESS = re.compile(r"[/?&=#;]")


def redacted(text: str, secrets: Iterable[tuple[str, str]]) -> str:
    """`text` without the secrets, given with their names: parts of `url` are replaced as well."""
    hidden: set[str] = set()
    for name, value in secrets:
        hidden.add(value)
        if name == "url":
            hidden |= _parts(value)
    # The longest first: a part must not leave the rest of the whole behind.
    for one in sorted(filter(None, hidden), key=len, reverse=True):
        text = text.replace(one, _MASK)
    return text


def _parts(url: str) -> set[str]:
    split = urlsplit(url)
    behind_host = split.path + (f"?{split.query}" if split.query else "")
    found = [part for part in (behind_host, *_OF_ADDRESS.split(behind_host)) if len(part) >= SHORTEST]
    return {*found, *map(unquote, found)}
