"""The documentation as Markdown: inside the package (wheel), else in the checkout.

`mkdocs.yml` lists the pages for the site and for the console; `NAME.zh.md` is the Chinese of `NAME.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
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


@dataclass(frozen=True, slots=True)
class Documents:
    """Pages below `folder`, as `sections` lists them; `titles`: the sections' titles in Chinese."""

    folder: Path
    sections: tuple[_Listed, ...]
    titles: dict[str, str]

    def contents(self, language: Language) -> list[HelpSection]:
        """All pages in the order of the site."""
        return [
            HelpSection(
                title=self.titles.get(listed.title, listed.title) if language == "zh" else listed.title,
                pages=[HelpPageTitle(name=name, title=self.page(name, language).title) for name in listed.names],
            )
            for listed in self.sections
        ]

    def page(self, name: str, language: Language) -> HelpPage:
        """One page. Raises DocumentUnknownError, also for files that the site does not list."""
        if not any(name in listed.names for listed in self.sections):
            raise DocumentUnknownError(name=name)
        chinese = self.folder / f"{name}.zh{_ENDING}"
        found: Language = "zh" if language == "zh" and chinese.is_file() else "en"
        text = (chinese if found == "zh" else self.folder / f"{name}{_ENDING}").read_text("utf-8")
        return HelpPage(name=name, title=_title(text), text=_without_note(text), language=found)


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


def _title(text: str) -> str:
    return next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "")


def _without_note(text: str) -> str:
    """The text without the comment at the top of generated pages."""
    return text.split("-->", 1)[1].lstrip() if text.startswith("<!--") else text
