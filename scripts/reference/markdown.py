"""Tables and headings of generated pages."""

from collections.abc import Iterable, Sequence

LANGUAGES = ("en", "zh")


def page(title: str, *parts: str) -> str:
    """A page with a title and parts below it."""
    return "\n\n".join([f"# {title}", *(part.strip() for part in parts if part.strip())]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; bars and line breaks in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(value) for value in line) + " |" for line in lines)


def code(value: object) -> str:
    """A cell in code font; empty for nothing."""
    return f"`{value}`" if value not in ("", None) else ""


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
