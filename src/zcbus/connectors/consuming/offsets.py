"""How the offsets of a kind appear in rows and in details of errors."""

from collections.abc import Callable
from dataclasses import dataclass

from zcbus.model.types import DataType, Kind


@dataclass(frozen=True, slots=True)
class OffsetForm:
    """Offsets are whole numbers of any size, in the order of their partition; people know them in another form."""

    type: DataType
    """Of the column `_offset`."""
    text: Callable[[int], str]
    """A message's offset as the column has it."""
    parse: Callable[[str], int]
    """Inverse of `text`; reading resumes behind that message from the offset after it."""
    place: Callable[[int], str]
    """Any offset, for people."""


NUMBERS = OffsetForm(DataType(Kind.INT64, "bigint"), str, int, str)
