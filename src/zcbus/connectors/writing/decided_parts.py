"""Parts of decided transactions in stores that keep them until they are carried out; see decided."""

import uuid
from collections.abc import Callable, Iterable
from typing import TypeVar

from zcbus.kit.clock import now_us

ORPHAN_SECONDS = 86_400
"""Age at which parts that no transaction has are deleted."""
CACHED_BYTES = 64 << 20
"""Of a session's own parts, which it need not read to carry them out."""
_INLINE_BYTES = 256 << 10
"""Of parts that stand in the state itself, so that a small transaction needs fewer requests."""
Part = TypeVar("Part")


def next_number(before: int, parts: int = 0) -> int:
    """Number of a commit with so many parts after the one with the number `before`: larger by as many, and not behind
    the clock in microseconds, so that the numbers of parts are larger than what others use."""
    return max(before + max(1, parts), now_us())


def note_parts(
    parts: Iterable[Part],
    size_of: Callable[[Part], int],
    put: Callable[[str, Part], None],
    noted: list[Part | str],
    own: dict[str, Part],
) -> None:
    """Collect in `noted` what the state says of parts: small ones themselves, others by the id with which `put` stores
    them. `own`: gets the first of those. Raises what `parts` and `put` raise."""
    size = 0
    for one in parts:
        size += size_of(one)
        if size <= _INLINE_BYTES:
            noted.append(one)
            continue
        name = f"part-{uuid.uuid4().hex}"
        noted.append(name)
        put(name, one)
        if size <= CACHED_BYTES:
            own[name] = one
