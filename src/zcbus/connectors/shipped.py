"""Ready-made documents that come with a kind."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShippedDocument:
    """A document of a well-known service."""

    name: str
    label: str
    """The service's name, the same in every language."""
    values: Mapping[str, str]
    """By option: the document, and the address and parameters that go with it. Never a secret."""
