"""What a kind of data source is called and which typed options it takes; forms and checks come from it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Option:
    """One typed option of a connection. There are no free connection URLs and no driver properties."""

    name: str
    type: Literal["text", "integer", "secret", "choice"]
    label_zh: str
    label_en: str
    required: bool = True
    default: str | int | None = None
    choices: tuple[str, ...] = ()
    maximum: int = 255
    """Characters for text and secrets, the greatest value for integers."""
    help_zh: str = ""
    help_en: str = ""


@dataclass(frozen=True, slots=True)
class KindSpec:
    """A kind of data source."""

    kind: str
    label: str
    group: str
    """Key of the group in the choose-a-type dialog: `relational`."""
    options: tuple[Option, ...]
    source: bool
    target: bool
