"""Places in a stream as offsets: an entry's id and its number.

An id is `MILLISECONDS-SEQUENCE`, 64 bits each; ids grow, with gaps. The number counts all entries that were ever added
to the stream, from 1. An offset has the id in its upper 128 bits and the number in its lower 64:

| offset                 | id                    | lower bits                       |
|------------------------|-----------------------|----------------------------------|
| of an entry            | its own               | its number + 1                   |
| after it (offset + 1)  | of the last one read  | the next one's number + 1        |
| with an unknown number | as above              | 0, after it 1                    |

So offsets are in the order of ids, and the offset after an entry shows which number the next one must have.
"""

from typing import NamedTuple

from zcbus.connectors.consuming.offsets import OffsetForm
from zcbus.model.types import DataType, Kind

_BITS = 64
_LOW = (1 << _BITS) - 1
_UNKNOWN = 1
"""The lower bits of a place at which counting has not begun are no greater."""
_LONGEST = 2 * len(str(_LOW)) + 1


class Place(NamedTuple):
    """Everything up to an id was read."""

    milliseconds: int
    sequence: int
    counted: int | None
    """The number of the last entry; None: unknown."""

    @property
    def id(self) -> str:
        """As the server writes it."""
        return f"{self.milliseconds}-{self.sequence}"

    @property
    def is_counted(self) -> bool:
        return self.counted is not None

    def offset(self) -> int:
        """The offset after it."""
        lower = _UNKNOWN if self.counted is None else self.counted + 2
        return _packed(self.milliseconds, self.sequence) | lower

    def entry(self, name: bytes) -> "Place":
        """Behind the next entry, whose id is `name`."""
        return Place(*parts_of(name), None if self.counted is None else self.counted + 1)


def place_of(offset: int) -> Place:
    """Inverse of Place.offset."""
    lower = offset & _LOW
    return Place(offset >> 2 * _BITS, offset >> _BITS & _LOW, None if lower <= _UNKNOWN else lower - 2)


def parts_of(name: bytes | str) -> tuple[int, int]:
    """Milliseconds and sequence of an id."""
    milliseconds, _, sequence = (name if isinstance(name, str) else name.decode()).partition("-")
    return int(milliseconds), int(sequence)


def _packed(milliseconds: int, sequence: int) -> int:
    return (milliseconds << _BITS | sequence) << _BITS


def _place(offset: int) -> str:
    place = place_of(offset)
    return place.id if place.counted is None else f"{place.id} (no. {place.counted})"


ENTRY_IDS = OffsetForm(
    type=DataType(Kind.TEXT, f"varchar({_LONGEST})", length=_LONGEST),
    text=lambda offset: place_of(offset).id,
    parse=lambda text: _packed(*parts_of(text)),
    place=_place,
)
