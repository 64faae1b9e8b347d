"""Findings of the pre-check."""

from typing import Any, Literal

from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason

Level = Literal["error", "warning", "info"]


def error(code: str, remedy: str = "", **facts: Any) -> Finding:
    """A finding that blocks the start."""
    return _finding("error", code, remedy, facts)


def warning(code: str, remedy: str = "", **facts: Any) -> Finding:
    """A risk that does not block the start."""
    return _finding("warning", code, remedy, facts)


def info(code: str, remedy: str = "", **facts: Any) -> Finding:
    """An effect that operators may not expect."""
    return _finding("info", code, remedy, facts)


def _finding(level: Level, code: str, remedy: str, facts: dict[str, Any]) -> Finding:
    texts = {name: str(value) for name, value in facts.items()}
    return Finding(
        level=level,
        table=texts.get("table", ""),
        column=texts.get("column", ""),
        reason=Reason(code=code, facts=texts),
        remedy=remedy,
    )
