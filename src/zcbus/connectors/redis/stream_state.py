"""What a server says of a stream, and whether entries are missing that were added to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.redis.entry_ids import Place, parts_of

_NONE = (0, 0)


@dataclass(frozen=True, slots=True)
class StreamState:
    """A stream at one moment."""

    name: str
    length: int
    first: tuple[int, int]
    """Id of the first entry that is there."""
    deleted: tuple[int, int]
    """The greatest id that was deleted as such. Trimming does not count."""
    end: Place
    """The last id that was given to an entry, and how many entries were ever added."""
    largest: int
    """Bytes of the larger one of the first and the last entry."""

    def check(self, reached: Place) -> None:
        """Raise TopicTrouble unless what follows the counted place can still be read, as far as it is known without
        reading on."""
        if reached.counted is None:
            return
        added = (self.end.counted or 0) - reached.counted
        if self.end[:2] < reached[:2] or added < 0:
            raise self._replaced(reached)
        if self.deleted > reached[:2]:
            raise self._lost(reached, f"deleted: {self.deleted[0]}-{self.deleted[1]}")
        if self.first > reached[:2] or not self.length:
            # What was read is gone, so that all that is there must be what was added since.
            self.compare(reached, self.length)

    def compare(self, reached: Place, found: int) -> None:
        """Raise TopicTrouble if, after the counted place, another number of entries was found than was added."""
        if reached.counted is None:
            return
        added = (self.end.counted or 0) - reached.counted
        if found < added:
            raise self._lost(reached, f"{added} added, {found} found")
        if found > added:
            raise self._replaced(reached)

    def _lost(self, reached: Place, why: str) -> TopicTrouble:
        return TopicTrouble(self.name, "messages-lost", f"{self.name}: {reached.id} … {self.end.id}, {why}")

    def _replaced(self, reached: Place) -> TopicTrouble:
        ends = f"ends at {self.end.id} with {self.end.counted} entries added"
        detail = f"{self.name}: read up to {reached.id}, {reached.counted} entries added; {ends}"
        return TopicTrouble(self.name, "topic-replaced", detail)


def state_of(name: str, reply: Sequence[Any]) -> StreamState:
    """The response to XINFO STREAM. Raises TopicTrouble where the server does not count entries (before Redis 7)."""
    found: Mapping[bytes, Any] = dict(zip(reply[::2], reply[1::2], strict=True))
    if b"entries-added" not in found:
        raise TopicTrouble(name, "stream-uncounted", f"{name}: XINFO STREAM has no entries-added (Redis 7)")
    first, last = found[b"first-entry"], found[b"last-entry"]
    return StreamState(
        name=name,
        length=found[b"length"],
        first=parts_of(first[0]) if first else _NONE,
        deleted=parts_of(found[b"max-deleted-entry-id"]),
        end=Place(*parts_of(found[b"last-generated-id"]), found[b"entries-added"]),
        largest=max(sum(map(len, entry[1])) if entry else 0 for entry in (first, last)),
    )
