"""The language a person reads: Chinese unless the `env` header asks for English."""

from collections.abc import Mapping
from typing import Literal

Language = Literal["zh", "en"]

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def language_of(headers: Mapping[str, str]) -> Language:
    """The language requested by headers (lower-case names)."""
    return "en" if headers.get("env", "").lower().startswith("en") else "zh"
