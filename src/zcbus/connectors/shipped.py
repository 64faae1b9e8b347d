"""Documents that come with a kind, for people to begin with."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShippedDocument:
    """A document of a well-known service."""

    name: str
    label: str
    """The service's name, the same in every language."""
    values: Mapping[str, str]
    """What is filled in, by option: the document, and what goes with it. Never a secret."""
