"""Caches that the features of this process declare."""

import os
import socket
from collections.abc import Iterator

from zcbus.control.features.cache.errors import CacheUnknownError
from zcbus.control.features.cache.schemas import CacheRecord
from zcbus.control.platform.caches import Cache, CacheFigures
from zcbus.control.platform.call import Call


def instance() -> str:
    """Host and process of this control plane."""
    return f"{socket.gethostname()}:{os.getpid()}"


def records(call: Call) -> Iterator[CacheRecord]:
    """Every cache with its present figures, in the order of the features."""
    for cache in call.services.caches:
        yield _record(call, cache, cache.measure(call.services))


def find(call: Call, name: str) -> Cache:
    """A cache by its name. Raises CacheUnknownError."""
    for cache in call.services.caches:
        if cache.name == name:
            return cache
    raise CacheUnknownError(name=name)


def title(call: Call, cache: Cache) -> str:
    """The cache's title in the caller's language."""
    return call.text(f"cache.{cache.name}")


def _record(call: Call, cache: Cache, figures: CacheFigures) -> CacheRecord:
    uses = (figures.hits or 0) + (figures.misses or 0)
    return CacheRecord(
        name=cache.name,
        title=title(call, cache),
        cleared=call.text(f"cache.{cache.name}.cleared"),
        scope=cache.scope,
        entries=figures.entries,
        most=figures.most,
        size_bytes=figures.size_bytes,
        hits=figures.hits,
        misses=figures.misses,
        hit_share=(figures.hits or 0) / uses if uses else None,
        oldest_at=figures.oldest_at,
    )
