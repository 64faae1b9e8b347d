"""Division of messages into frames."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

_FRAME_BYTES = 8 << 20


class _Sized(Protocol):
    @property
    def size(self) -> int:
        """Bytes."""


S = TypeVar("S", bound=_Sized)


def frame_parts(messages: Iterable[S]) -> Iterator[list[S]]:
    """Messages in their order, in parts of about as many bytes as a frame may have."""
    part: list[S] = []
    size = 0
    for message in messages:
        part.append(message)
        size += message.size
        if size >= _FRAME_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part
