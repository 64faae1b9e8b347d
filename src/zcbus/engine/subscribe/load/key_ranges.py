"""Which stretches of a table, in the order of its key, are loaded.

A stretch reaches from behind one key up to another; (): from the table's start, or to its end. Keys are canonical text,
whose order only the source knows: so stretches are put in order by where they were found.
"""

import itertools
from collections.abc import Sequence

Key = tuple[str, ...]
Stretch = tuple[Key, Key]

EVERYTHING: Stretch = ((), ())
_BEHIND_PARTS = 1 << 62


def gaps(loaded: Sequence[Stretch]) -> list[Stretch]:
    """What lies between stretches in order."""
    if not loaded:
        return [EVERYTHING]
    found = [(before[1], behind[0]) for before, behind in itertools.pairwise(loaded)]
    if loaded[0][0]:
        found.insert(0, ((), loaded[0][0]))
    if loaded[-1][1]:
        found.append((loaded[-1][1], ()))
    return found


class KeyOrder:
    """The order of the stretches of one attempt at a load."""

    def __init__(self, loaded: Sequence[Stretch]) -> None:
        """`loaded`: by earlier attempts, in order."""
        self.gaps = gaps(loaded)
        # The gap in front of the first stretch is missing where that begins at the start.
        self._first = 1 if loaded and not loaded[0][0] else 0
        self._places = {stretch[0]: (place, _BEHIND_PARTS) for place, stretch in enumerate(loaded)}
        self._parts = 0

    def found(self, gap: int, stretch: Stretch) -> None:
        """A part of a gap, by its number; called in order."""
        self._parts += 1
        self._places[stretch[0]] = (gap + self._first, self._parts)

    def with_part(self, loaded: Sequence[Stretch], part: Stretch) -> tuple[Stretch, ...]:
        """The stretches once a part is loaded as well; those that meet become one."""
        merged: list[Stretch] = []
        for stretch in sorted([*loaded, part], key=lambda one: self._places[one[0]]):
            if merged and merged[-1][1] == stretch[0]:
                merged[-1] = (merged[-1][0], stretch[1])
            else:
                merged.append(stretch)
        return tuple(merged)
