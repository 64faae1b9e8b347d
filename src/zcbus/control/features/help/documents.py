"""The documentation as Markdown: inside the package (wheel), else in the checkout.

`mkdocs.yml` lists the pages for the site and for the console; `NAME.zh.md` is the Chinese of `NAME.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

import zcbus.control
from zcbus.control.features.help.errors import DocumentsMissingError, DocumentUnknownError
from zcbus.control.features.help.schemas import HelpPage, HelpPageTitle, HelpSection
from zcbus.control.platform.caches import Cache, CacheFigures
from zcbus.control.platform.language import Language
from zcbus.control.platform.services import Services

SITE = "mkdocs.yml"
_ENDING = ".md"


@dataclass(frozen=True, slots=True)
class _Listed:
    """A section of the list of pages: its title in English, and the pages' names."""

    title: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Documents:
    """Pages below `folder`, as `sections` lists them; `titles`: the sections' titles in Chinese.

    Texts are read once.
    """

    folder: Path
    sections: tuple[_Listed, ...]
    titles: dict[str, str]
    _texts: dict[tuple[str, Language], str] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all pages, in the order of the site."""
        return tuple(dict.fromkeys(name for listed in self.sections for name in listed.names))

    def sections_of(self, language: Language) -> list[tuple[str, tuple[str, ...]]]:
        """The sections' titles and the names of their pages."""
        return [
            (self.titles.get(listed.title, listed.title) if language == "zh" else listed.title, listed.names)
            for listed in self.sections
        ]

    def contents(self, language: Language) -> list[HelpSection]:
        """All pages in the order of the site."""
        return [
            HelpSection(
                title=title,
                pages=[HelpPageTitle(name=name, title=self.page(name, language).title) for name in names],
            )
            for title, names in self.sections_of(language)
        ]

    def page(self, name: str, language: Language) -> HelpPage:
        """One page. Raises DocumentUnknownError, also for files that the site does not list."""
        if name not in self.names:
            raise DocumentUnknownError(name=name)
        found: Language = "zh" if language == "zh" and self.text(name, "zh") else "en"
        text = self.text(name, found)
        return HelpPage(name=name, title=title_of(text), text=text, language=found)

    def text(self, name: str, language: Language) -> str:
        """A page's text in a language; empty where there is none, and for files that the site does not list."""
        if name not in self.names:
            return ""
        if (name, language) not in self._texts:
            path = self.folder / f"{name}{'.zh' if language == 'zh' else ''}{_ENDING}"
            self._texts[name, language] = _without_note(path.read_text("utf-8")) if path.is_file() else ""
        return self._texts[name, language]

    def digest(self, name: str) -> str:
        """Of a page's texts, in hexadecimal; empty where there is no such page."""
        if name not in self.names:
            return ""
        return sha256("\0".join((self.text(name, "zh"), self.text(name, "en"))).encode()).hexdigest()

    def contains(self, name: str, language: Language, text: str, *, titles_only: bool = False) -> bool:
        """Whether the page as it is read in a language contains a text, whatever its case."""
        page = self.page(name, language)
        return text.casefold() in (page.title if titles_only else page.text).casefold()


@lru_cache(maxsize=1)
def find_documents() -> Documents:
    """Raises DocumentsMissingError."""
    package = Path(zcbus.control.__file__).parent
    for root in (package / "documents", package.parents[2]):
        if (root / SITE).is_file():
            return _read(root)
    raise DocumentsMissingError


def _figures(_services: Services) -> CacheFigures:
    used = find_documents.cache_info()
    return CacheFigures(used.currsize, used.maxsize, hits=used.hits, misses=used.misses)


def _clear(_services: Services) -> int:
    count = find_documents.cache_info().currsize
    find_documents.cache_clear()
    return count


CACHE = Cache("help-pages", "process", _figures, _clear)


def _read(root: Path) -> Documents:
    site = yaml.safe_load((root / SITE).read_text("utf-8"))
    folder = root / str(site["docs_dir"])
    return Documents(folder, tuple(_sections("", site["nav"], folder)), _chinese_titles(site))


def _sections(title: str, entries: list[Any], folder: Path) -> Iterator[_Listed]:
    yield _Listed(title, tuple(entry.removesuffix(_ENDING) for entry in entries if isinstance(entry, str)))
    for entry in entries:
        for heading, inside in entry.items() if isinstance(entry, dict) else ():
            # A folder's key covers all its pages.
            pages = inside if isinstance(inside, list) else _pages_of(folder / inside, inside)
            yield from _sections(heading, pages, folder)


def _pages_of(path: Path, folder: str) -> list[str]:
    names = sorted(page.name for page in path.glob(f"[0-9]*{_ENDING}"))
    return [f"{folder}index{_ENDING}", *(folder + name for name in names)]


def _chinese_titles(site: dict[str, Any]) -> dict[str, str]:
    plugins = [plugin["i18n"] for plugin in site["plugins"] if isinstance(plugin, dict) and "i18n" in plugin]
    languages = (language for plugin in plugins for language in plugin["languages"])
    return next((dict(one["nav_translations"]) for one in languages if one["locale"] == "zh"), {})


def title_of(text: str) -> str:
    """The first heading of the first level; empty: there is none."""
    return next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "")


def _without_note(text: str) -> str:
    """The text without the comment at the top of generated pages."""
    return text.split("-->", 1)[1].lstrip() if text.startswith("<!--") else text
