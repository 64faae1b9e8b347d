"""The role of a reader of messages that are acknowledged, for any broker."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from zcbus.connectors.consuming.consumer import TopicLister


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message as the broker delivered it; fields as in Message."""

    topic: str
    time_ms: int | None
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]]
    more: Sequence[str | None]
    token: Hashable | None
    """Identifies the delivery to its reader; None: there is nothing to acknowledge."""

    @property
    def size(self) -> int:
        """Bytes of key and value."""
        return len(self.key or b"") + len(self.value or b"")


class Acknowledging(TopicLister, Protocol):
    """Reads topics whose messages the broker delivers until they are acknowledged.

    Every method but `forget` may raise SourceUnavailable or AccessDenied; then the reader is of no more use. Not
    thread-safe. Topics have one partition, 0.
    """

    def begin(self, topics: Sequence[str], removed: Sequence[str], begun: Collection[str]) -> Collection[str]:
        """Read exactly these topics; the broker keeps their messages from now on, also while nothing reads them.

        `removed`: topics of earlier readers that are read no longer. `begun`: topics that earlier readers began to
        read. Returns those of `begun` whose unread messages the broker does not have any more; if there are some,
        nothing was begun, and the broker has nothing of them afterwards. Raises TopicTrouble.
        """

    def read(self, timeout: float) -> Sequence[Delivery]:
        """The next deliveries, waiting up to `timeout` seconds for the first. Holds a bounded number of bytes. Raises
        TopicTrouble."""

    def acknowledge(self, tokens: Sequence[Hashable]) -> None:
        """The broker may forget these deliveries. Cheap."""

    def ask(self) -> None:
        """Ask the broker whether it has more messages; `is_drained` has the answer later."""

    def is_drained(self) -> bool:
        """Whether all messages that were committed at the last `ask` have been returned by `read`."""

    def forget(self) -> None:
        """Remove what the broker keeps for this reader. Idempotent. Raises SourceUnavailable, AccessDenied."""
