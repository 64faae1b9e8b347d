"""Steps of the documentation's build that `mkdocs.yml` cannot state: the list of decisions, anchors in any language."""

from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from pymdownx.slugs import slugify

DECISIONS = "decisions/"


@event_priority(100)
def on_config(config: Any) -> Any:
    """Runs before the plugins, which read the same configuration."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slugify(case="lower")
    pages = sorted(page.name for page in (Path(config.docs_dir) / DECISIONS).glob("[0-9]*.md"))
    decisions = [f"{DECISIONS}index.md", *(DECISIONS + page for page in pages)]
    _replace(config.nav, decisions)
    return config


def _replace(entries: list[Any], decisions: list[str]) -> None:
    for entry in entries:
        for title, value in entry.items() if isinstance(entry, dict) else ():
            if value == DECISIONS:
                entry[title] = decisions
            elif isinstance(value, list):
                _replace(value, decisions)
