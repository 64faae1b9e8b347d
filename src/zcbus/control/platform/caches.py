"""Caches of a control plane: what it keeps to answer faster, or for a moment only.

A feature that keeps one declares it (`Feature.caches`), so that the page of caches shows it and can clear it. Texts are
messages of the same feature: `cache.NAME`, and `cache.NAME.cleared` for what clearing it leads to. What must not be
lost, and what guards against abuse, is no cache.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from zcbus.control.platform.services import Services

Scope = Literal["process", "store"]


@dataclass(frozen=True, slots=True)
class CacheFigures:
    """Figures of a cache at a moment. None: not limited, not measured or not known. `size_bytes` is an estimate.
    Hits and misses are those of this process since its start."""

    entries: int
    most: int | None = None
    size_bytes: int | None = None
    hits: int | None = None
    misses: int | None = None
    oldest_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache. `scope`: in the memory of each control plane, or in the store that all of them share. `clear` returns
    the number of entries that it removed; it may be called at any time, by several callers at once."""

    name: str
    scope: Scope
    measure: Callable[["Services"], CacheFigures]
    clear: Callable[["Services"], int]


class UseCounter:
    """Hits and misses of a cache. Safe for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hits = self._misses = 0

    def note(self, *, hit: bool) -> None:
        """Count one use of the cache."""
        with self._lock:
            self._hits += hit
            self._misses += not hit

    @property
    def hits(self) -> int:
        return self._hits

    @property
    def misses(self) -> int:
        return self._misses
