"""Custom texts where they are read: by the console, and in the control plane's messages."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

from zcbus.control.features.translation import repository
from zcbus.control.features.translation.rules import fault_of
from zcbus.control.features.translation.shipped import SERVER, shipped_texts
from zcbus.control.platform.language import LANGUAGES, Language
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.services import Services

SIGN_IN_NAMESPACES = frozenset({"common", "sign-in", "slide-verify", "account"})
"""Namespaces of pages that are shown before anyone is signed in."""

_used_versions: WeakKeyDictionary[Catalogue, tuple[Any, ...]] = WeakKeyDictionary()


def of_console(
    connection: Connection, catalogue: Catalogue, language: Language, is_read: Callable[[str], bool] = lambda _: True
) -> dict[str, dict[str, str]]:
    """Custom texts that the console reads, by namespace and key; `is_read` chooses the namespaces. Those that no longer
    fit the shipped text are left out."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for namespace, key, value in _usable(connection, catalogue, language):
        if namespace != SERVER and is_read(namespace):
            found[namespace][key] = value
    return dict(found)


def refresh_messages(services: Services) -> None:
    """Have the messages of this process read the stored custom texts, if those changed since the last time."""
    with services.database.read() as connection:
        version = repository.version(connection)
        if _used_versions.get(services.catalogue) == version:
            return
        custom = {language: _messages(connection, services.catalogue, language) for language in LANGUAGES}
    services.catalogue.use_custom(custom)
    _used_versions[services.catalogue] = version


def kept_messages(catalogue: Catalogue) -> tuple[int, int]:
    """How many messages this process reads from custom texts, and their bytes."""
    found = [
        text
        for language in LANGUAGES
        for key, text in catalogue.texts(language).items()
        if text != catalogue.shipped(language)[key]
    ]
    return len(found), sum(len(text.encode()) for text in found)


def forget_messages(catalogue: Catalogue) -> None:
    """Have the next `refresh_messages` read the stored texts even if they did not change."""
    _used_versions.pop(catalogue, None)


def _messages(connection: Connection, catalogue: Catalogue, language: Language) -> dict[str, str]:
    usable = _usable(connection, catalogue, language)
    return {key: value for namespace, key, value in usable if namespace == SERVER}


def _usable(connection: Connection, catalogue: Catalogue, language: Language) -> Iterator[tuple[str, str, str]]:
    rows = repository.select_all(connection, language)
    # Most installations have none of their own, and start without reading thousands of texts.
    shipped = shipped_texts(catalogue) if rows else {}
    for row in rows:
        text = shipped.get(row.text_key)
        if text is not None and fault_of(row.value, text, language) is None:
            namespace, _, key = row.text_key.partition(":")
            yield namespace, key, row.value
