"""Requests and answers of cache management."""

from datetime import datetime

from pydantic import Field

from zcbus.control.platform.caches import Scope
from zcbus.control.platform.paging import ListDefinition, Page, PageRequest
from zcbus.control.platform.schema import Schema


class CachePageRequest(PageRequest):
    """`search`: a part of a title."""

    search: str = Field("", max_length=100)


class CacheChoice(Schema):
    name: str = Field(min_length=1, max_length=100)


class CacheRecord(Schema):
    """A cache. `scope`: in the memory of the control plane that answers, or in the store that all of them share.
    `cleared`: what clearing it leads to. `most`: entries that it can hold. `hit_share`: hits of all uses since
    the start of the control plane, from 0 to 1. None: not limited, not measured or not known yet."""

    name: str
    title: str
    cleared: str
    scope: Scope
    entries: int
    most: int | None
    size_bytes: int | None
    hits: int | None
    misses: int | None
    hit_share: float | None
    oldest_at: datetime | None


class CachePage(Page[CacheRecord]):
    """`instance`: host and process of the control plane that answers; `since`: its start."""

    instance: str
    since: datetime


class CacheCleared(Schema):
    """`removed`: entries that were there."""

    removed: int


CACHES = ListDefinition[CacheRecord](
    CacheRecord,
    sort_keys={
        "title": lambda cache: cache.title,
        "scope": lambda cache: cache.scope,
        "entries": lambda cache: cache.entries,
        "sizeBytes": lambda cache: cache.size_bytes or 0,
        "hits": lambda cache: cache.hits or 0,
        "misses": lambda cache: cache.misses or 0,
    },
)
