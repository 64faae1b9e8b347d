"""Prepared queries run for API callers: what a data service needs of a database."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Protocol

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.model.query_text import ParameterUse, QueryText

Scalar = str | int | Decimal | date | datetime | bool | None
Value = Scalar | tuple[Scalar, ...]
"""Moments have a zone. A list has at least one item."""

MAX_BYTES = 16 << 20
"""Of the values of one answer, about."""
_PLAIN_BYTES = 16
_GRACE_SECONDS = 1.0


class QueryFailed(TerminalError):
    """The database rejects the query. Facts: detail (its own message)."""

    code = "query-failed"


class QueryTimedOut(TransientError):
    """The query exceeded its time limit. Facts: milliseconds."""

    code = "query-timed-out"


class AccountTooPowerful(TerminalError):
    """The account has rights on the server that no query for callers needs. Facts: user, rights."""

    code = "query-account-too-powerful"


class AnswerTooLarge(TerminalError):
    """The rows hold more than an answer may. Facts: bytes."""

    code = "answer-too-large"


@dataclass(frozen=True, slots=True)
class Query:
    """A query with the values of all its parameters."""

    text: QueryText
    values: Mapping[str, Value]
    rows: int
    """At most."""
    skip: int = 0
    """So many rows before them are passed over."""
    timeout_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class Found:
    """Rows of a query.

    Values are those of JSON: integers, floats, texts, booleans, null, lists and objects. Decimals, times and the like
    are texts, bytes are hexadecimal.
    """

    columns: tuple[tuple[str, str], ...]
    """Names, and the database's own names of the types."""
    rows: list[tuple[object, ...]]
    more: bool


class QueryRunner(Protocol):
    """One session that runs queries, one after another.

    The driver binds values; they never become text of the query. Each query runs in a read-only transaction of its own
    that is rolled back. The server's session is ended if a query exceeds its time limit, whatever the query did to the
    server's own limits.
    """

    @property
    def usable(self) -> bool:
        """Whether another query can be run; else the session is over."""

    def run(self, query: Query) -> Found:
        """Raises QueryRefused, QueryFailed, QueryTimedOut, AnswerTooLarge, SourceUnavailable, AccessDenied."""

    def close(self) -> None:
        """Never raises. Idempotent."""


def bound(query: Query) -> tuple[str, dict[str, Scalar]]:
    """The text with the drivers' placeholders `%(name)s`, and their values. A list gets a placeholder for each item."""
    text: list[str] = []
    for part in query.text.parts:
        if isinstance(part, ParameterUse):
            text.append(", ".join(f"%({name})s" for name in _placeholders(part.name, query.values[part.name])))
        else:
            text.append(part.replace("%", "%%"))
    values = {
        place: item
        for name in query.text.names
        for place, item in zip(_placeholders(name, query.values[name]), _items(query.values[name]), strict=True)
    }
    return "".join(text), values


def bound_in_order(query: Query) -> tuple[str, list[Scalar]]:
    """The text with `?` at every placeholder, and the values in their order."""
    text: list[str] = []
    values: list[Scalar] = []
    for part in query.text.parts:
        items = _items(query.values[part.name]) if isinstance(part, ParameterUse) else ()
        values.extend(items)
        text.append(", ".join("?" * len(items)) if isinstance(part, ParameterUse) else part)
    return "".join(text), values


def _placeholders(name: str, value: Value) -> list[str]:
    # A point cannot be part of a parameter's own name.
    return [f"{name}.{number}" for number in range(len(value))] if isinstance(value, tuple) else [name]


def _items(value: Value) -> Sequence[Scalar]:
    return value if isinstance(value, tuple) else (value,)


@contextmanager
def watched(query: Query, end: Callable[[], None]) -> Iterator[threading.Event]:
    """Call `end` in another thread, and set the event, where the server has not ended the query by its own limit.
    `end` must end the server's side of the session, and never raise."""
    ended = threading.Event()

    def give_up() -> None:
        ended.set()
        end()

    timer = threading.Timer(query.timeout_ms / 1000 + _GRACE_SECONDS, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield ended
    finally:
        timer.cancel()


class Collected:
    """Rows as they arrive, up to the limits."""

    def __init__(self) -> None:
        self.rows: list[tuple[object, ...]] = []
        self.bytes = 0

    def add(self, row: tuple[object, ...]) -> None:
        """Raises AnswerTooLarge."""
        self.bytes += sum(map(_size, row))
        if self.bytes > MAX_BYTES:
            raise AnswerTooLarge(bytes=MAX_BYTES)
        self.rows.append(row)


def _size(value: object) -> int:
    """About the bytes of a value, of a document with all that is in it."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(name) + _size(inner) for name, inner in value.items())
    return sum(map(_size, value)) + _PLAIN_BYTES if isinstance(value, list) else _PLAIN_BYTES


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once: a column of an answer is found by its name."""
    taken: dict[str, None] = {}
    for name in names:
        free, number = name, 1
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        taken[free] = None
    return tuple(taken)
