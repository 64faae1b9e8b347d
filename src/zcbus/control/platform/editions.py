"""Editions of what was handed out to holders, so that the next one holds only changes.

In the memory of this process. A holder whose edition comes from another replica, or from before a restart, gets
everything.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.control.platform.caches import CacheFigures, UseCounter

_MAX_PARTS = 500_000
_PART_BYTES = 200
"""About so much memory takes the mark of a part."""


@dataclass(frozen=True, slots=True)
class Marks:
    """A mark of each thing that was handed out, and one of each of its parts: it changes with what it marks."""

    heads: Mapping[str, bytes]
    parts: Mapping[str, Mapping[str, bytes]]

    def __len__(self) -> int:
        return sum(map(len, self.parts.values()))

    def same(self, other: "Marks", thing: str) -> bool:
        """Whether a thing and its parts are in both, and the same."""
        return self.heads.get(thing) == other.heads[thing] and self.parts.get(thing) == other.parts[thing]


class Editions:
    """Remembers the editions that holders may have. Safe for many threads."""

    def __init__(self, most_parts: int = _MAX_PARTS) -> None:
        self._lock = threading.Lock()
        self._most_parts = most_parts
        self._by_holder: OrderedDict[str, dict[str, Marks]] = OrderedDict()
        """By holder, the least recently seen first; then by edition."""
        self._uses = UseCounter()

    def keep(self, holder: str, edition: str, marks: Marks) -> None:
        """Store an edition that is handed out. Where there are too many marks, the least recently seen holder is
        dropped."""
        with self._lock:
            self._by_holder.setdefault(holder, {})[edition] = marks
            self._by_holder.move_to_end(holder)
            while len(self._by_holder) > 1 and self._parts() > self._most_parts:
                self._by_holder.popitem(last=False)

    def marks_of(self, holder: str, edition: str) -> Marks | None:
        """The marks of the edition that a holder has, whose other editions are forgotten; None: they are not known."""
        with self._lock:
            marks = self._by_holder.pop(holder, {}).get(edition)
            if marks is not None:
                self._by_holder[holder] = {edition: marks}
            # Without an edition the holder asks for everything.
            if edition:
                self._uses.note(hit=marks is not None)
            return marks

    def figures(self) -> CacheFigures:
        """Entries are holders."""
        with self._lock:
            size = self._parts() * _PART_BYTES
            return CacheFigures(len(self._by_holder), None, size, self._uses.hits, self._uses.misses)

    def clear(self) -> int:
        """Forget all editions; returns of how many holders."""
        with self._lock:
            count = len(self._by_holder)
            self._by_holder.clear()
            return count

    def _parts(self) -> int:
        return sum(len(marks) for editions in self._by_holder.values() for marks in editions.values())
