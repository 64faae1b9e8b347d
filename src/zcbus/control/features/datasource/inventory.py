"""Table lists of databases, cached for a minute: paging through thousands of tables asks the database once."""

import fnmatch
import hashlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from zcbus.control.features.datasource.schemas import TableFilterRequest, TableRecord
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.caches import CacheFigures, UseCounter
from zcbus.control.platform.paging import ALL, ListDefinition, Page
from zcbus.control.platform.progress import NOT_FOLLOWED, Progress
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.control.store.search import names_in
from zcbus.protocol.answers import TableLine, Tables
from zcbus.protocol.base import Connection
from zcbus.protocol.requests import ListTables

_CACHE_SECONDS = 60.0
_CACHED_DATABASES = 32

TABLES = ListDefinition[TableLine](
    TableRecord,
    sort_keys={
        "schema": lambda line: (line.schema_name, line.table),
        "table": lambda line: (line.table, line.schema_name),
        "estimatedRows": lambda line: (line.estimated_rows or 0, line.schema_name, line.table),
        "sizeBytes": lambda line: (line.size_bytes or 0, line.schema_name, line.table),
        "hasPrimaryKey": lambda line: (line.has_primary_key, line.schema_name, line.table),
    },
)


@dataclass(slots=True)
class _CachedTables:
    """One database's tables, with a lock so that only one caller requests them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    tables: tuple[TableLine, ...] = ()
    until: float = 0.0
    size_bytes: int = 0


class Inventory:
    """Lists of tables by connection, in the memory of one control plane process. Safe for many threads."""

    def __init__(self) -> None:
        self._cached_tables: OrderedDict[bytes, _CachedTables] = OrderedDict()
        self._lock = threading.Lock()
        self._uses = UseCounter()

    def tables(
        self,
        services: Services,
        destination: Destination,
        connection: Connection,
        *,
        refresh: bool,
        progress: Progress = NOT_FOLLOWED,
    ) -> tuple[TableLine, ...]:
        """All tables of a database, sorted by schema and name. `progress`: as for `ask`. Raises what `ask` raises."""
        cached = self._cached(_key(services, destination, connection))
        with cached.lock:
            is_kept = time.monotonic() < cached.until
            if not refresh:
                self._uses.note(hit=is_kept)
            if refresh or not is_kept:
                answer = ask(services, destination, ListTables(connection=connection), Tables, progress=progress)
                cached.tables = tuple(sorted(answer.tables, key=TABLES.sort_keys["schema"]))
                cached.size_bytes = sum(len(line.model_dump_json()) for line in answer.tables)
                cached.until = time.monotonic() + _CACHE_SECONDS
            return cached.tables

    def figures(self, now: datetime) -> CacheFigures:
        """Entries are databases whose list is not older than a minute."""
        with self._lock:
            lists = list(self._cached_tables.values())
        moment = time.monotonic()
        kept = [one for one in lists if one.until > moment]
        ages = [moment - one.until + _CACHE_SECONDS for one in kept]
        return CacheFigures(
            entries=len(kept),
            most=_CACHED_DATABASES,
            size_bytes=sum(one.size_bytes for one in kept),
            hits=self._uses.hits,
            misses=self._uses.misses,
            oldest_at=now - timedelta(seconds=max(ages)) if ages else None,
        )

    def clear(self) -> int:
        """Forget all lists; returns of how many databases. One that is being read is kept by who reads it only."""
        with self._lock:
            count = sum(one.until > time.monotonic() for one in self._cached_tables.values())
            self._cached_tables.clear()
            return count

    def _cached(self, key: bytes) -> _CachedTables:
        with self._lock:
            cached = self._cached_tables.setdefault(key, _CachedTables())
            self._cached_tables.move_to_end(key)
            while len(self._cached_tables) > _CACHED_DATABASES:
                self._cached_tables.popitem(last=False)
            return cached


def page(tables: Sequence[TableLine], request: TableFilterRequest, texts: ReasonTexts) -> Page[TableRecord]:
    """The part of a list that is matching. Raises RequestMalformedError for an unknown sort."""
    matching = [line for line in tables if _matches(line, request)] if _filters(request) else tables
    TABLES.check(request)
    if request.sort is not None:
        matching = sorted(matching, key=TABLES.sort_keys[request.sort], reverse=request.order != "asc")
    if request.size != ALL:
        begin = (request.current - 1) * (request.size or 20)
        part = matching[begin : begin + (request.size or 20)]
    else:
        part = matching
    return Page(records=[_record(line, texts) for line in part], total=len(matching))


def _filters(request: TableFilterRequest) -> bool:
    return bool(request.search or request.schema_name) or request.has_key is not None


def _matches(line: TableLine, request: TableFilterRequest) -> bool:
    if request.schema_name and line.schema_name != request.schema_name:
        return False
    if request.has_key is not None and request.has_key != (line.has_primary_key or line.has_unique_key):
        return False
    names = names_in(request.search or "")
    return not names or any(_name_matches(line, name.lower()) for name in names)


def _name_matches(line: TableLine, pattern: str) -> bool:
    table = line.table.lower()
    full = f"{line.schema_name.lower()}.{table}"
    if "*" not in pattern and "?" not in pattern:
        return pattern in full
    # `[` is no pattern here: it is a letter that names may have.
    pattern = re.sub(r"\[", "[[]", pattern)
    return fnmatch.fnmatchcase(table, pattern) or fnmatch.fnmatchcase(full, pattern)


def _record(line: TableLine, texts: ReasonTexts) -> TableRecord:
    return TableRecord(
        schema=line.schema_name,
        table=line.table,
        estimated_rows=line.estimated_rows,
        size_bytes=line.size_bytes,
        has_primary_key=line.has_primary_key,
        has_unique_key=line.has_unique_key,
        comment=line.comment,
        refused=texts.named(f"refusal.{line.refused}", line.refused),
    )


def _key(services: Services, destination: Destination, connection: Connection) -> bytes:
    """The same options may name another database from another container. The password belongs to the key: a caller
    without it gets nothing from the cache either. One process may hold several control planes, each with its own
    folder."""
    words = (str(services.settings.data_dir), destination.container_id, connection.model_dump_json())
    return hashlib.sha256("\n".join(words).encode()).digest()
