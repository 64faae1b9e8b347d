"""Lists by page: `current` from 1, `size` 20 (−1 is all, streamed), `sort`, `order`; answer `records`, `total`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field, PrivateAttr, field_validator
from sqlalchemy import ColumnElement, Row, Select, func, select

from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RequestMalformedError
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

ALL = -1
MAX_PAGE_SIZE = 1000
_STREAM_ROWS = 500


class PageRequest(Schema):
    """Which part of a list is requested. Subclass it to add filters."""

    current: int = Field(default=1, ge=1, le=1_000_000)
    size: int = Field(default=20, ge=ALL, le=MAX_PAGE_SIZE)
    sort: str | None = Field(default=None, max_length=100)
    order: Literal["asc", "desc"] | None = None

    @field_validator("size")
    @classmethod
    def _not_empty(cls, size: int) -> int:
        if size == 0:
            raise field_fault("page-of-nothing")
        return size


class Page(Schema, Generic[T]):
    """One part of a list, and how many records there are in all."""

    records: list[T]
    total: int


P = TypeVar("P", bound=Page[Any])


# Without slots: a generic class that has them cannot be made with its parameter given.
@dataclass(frozen=True)
class ListDefinition(Generic[T]):
    """A list, declared once: its record, and what it can be sorted by. Requests are checked by it, the API document
    shows it (`x-list`), and the console takes from there which columns can be sorted. Its request's own fields are its
    filters.
    """

    record: type[BaseModel]
    columns: Mapping[str, str] = field(default_factory=dict)
    """Of a list that is read from the store: what it can be sorted by → the statement's column of that name."""
    sort_keys: Mapping[str, Callable[[T], Any]] = field(default_factory=dict)
    """Of one that is worked out: what it can be sorted by → the sort key of what is listed."""
    sorted_elsewhere: tuple[str, ...] = ()
    """Of one that an agent reads: what it is asked to sort by."""

    @property
    def sortable(self) -> tuple[str, ...]:
        """Sort keys of requests, named as in the record on the wire."""
        return (*self.columns, *self.sort_keys, *self.sorted_elsewhere)

    def check(self, request: PageRequest) -> None:
        """Raises RequestMalformedError where the list cannot be sorted by the requested column."""
        if request.sort is not None and request.sort not in self.sortable:
            raise RequestMalformedError(fields="sort", sort=request.sort)


@dataclass(frozen=True, slots=True)
class Listing(Generic[M]):
    """How a list is read from the store: its definition, where from, its usual order, its records."""

    definition: ListDefinition[Any]
    statement: Select[Any]
    usual_order: Sequence[ColumnElement[Any]]
    to_record: Callable[[Row[Any]], M]


def answer_page(call: Call, request: PageRequest, listing: Listing[M], known_total: int | None = None) -> Page[M]:
    """Read the requested page. `known_total`: of all records where the caller has counted them; None: counted here.
    Raises what `ListDefinition.check` raises."""
    ordered = listing.statement.order_by(*_order(request, listing))
    if request.size == ALL:
        total = _count(call, listing) if known_total is None else known_total
        return StreamedPage.of(ordered, total, listing.to_record)
    size, offset = request.size, (request.current - 1) * request.size
    rows = call.connection.execute(ordered.limit(size).offset(offset)).all()
    if known_total is None:
        is_last_page = len(rows) < size and (rows or offset == 0)
        known_total = offset + len(rows) if is_last_page else _count(call, listing)
    return Page(records=[listing.to_record(row) for row in rows], total=known_total)


def with_totals(page: Page[Any], kind: type[P], totals: Any) -> P:
    """The page as one of `kind`, whose `totals` were read in the call's snapshot. All records at once (`StreamedPage`)
    are of a later moment and go without."""
    if isinstance(page, StreamedPage):
        return cast(P, page)
    return kind(**{**dict(page), "totals": totals})


def page_of(records: Iterable[M], request: PageRequest, definition: ListDefinition[M]) -> Page[M]:
    """The requested page of records that are computed and not stored, by default in their own order. Raises what
    `ListDefinition.check` raises."""
    ordered = in_order(records, request, definition)
    return Page(records=part_of(ordered, request), total=len(ordered))


def in_order(found: Iterable[T], request: PageRequest, definition: ListDefinition[T]) -> list[T]:
    """All records in the requested order, by default in their own. Raises what `ListDefinition.check` raises."""
    definition.check(request)
    ordered = list(found)
    if request.sort is not None:
        ordered.sort(key=definition.sort_keys[request.sort], reverse=request.order != "asc")
    return ordered


def part_of(ordered: list[T], request: PageRequest) -> list[T]:
    """The records on the requested page."""
    if request.size == ALL:
        return ordered
    begin = (request.current - 1) * request.size
    return ordered[begin : begin + request.size]


def _order(request: PageRequest, listing: Listing[M]) -> Sequence[ColumnElement[Any]]:
    definition = listing.definition
    definition.check(request)
    if request.sort is None:
        return listing.usual_order
    column = listing.statement.selected_columns[definition.columns[request.sort]]
    chosen = column.asc() if request.order == "asc" else column.desc()
    return [chosen, *listing.usual_order]


def _count(call: Call, listing: Listing[M]) -> int:
    counted = select(func.count()).select_from(listing.statement.order_by(None).subquery())
    return call.connection.execute(counted).scalar_one()


class StreamedPage(Page[Any]):
    """All records, read and sent in chunks, each in a transaction of its own."""

    _statement: Select[Any] = PrivateAttr()
    _to_record: Callable[[Row[Any]], BaseModel] = PrivateAttr()

    @classmethod
    def of(cls, statement: Select[Any], total: int, to_record: Callable[[Row[Any]], BaseModel]) -> "StreamedPage":
        page = cls(records=[], total=total)
        page._statement = statement
        page._to_record = to_record
        return page

    def response(self, call: Call, head: bytes) -> Response:
        """The answer; `head` is the envelope up to its data."""
        return StreamingResponse(self._pieces(call, head), media_type="application/json")

    def _pieces(self, call: Call, head: bytes) -> Iterator[bytes]:
        yield head + b'{"total":%d,"records":[' % self.total
        separator = b""
        with call.services.database.read() as connection:
            rows = connection.execution_options(yield_per=_STREAM_ROWS).execute(self._statement)
            for part in rows.partitions():
                yield separator + b",".join(self._json(row) for row in part)
                separator = b","
        yield b"]}}"

    def _json(self, row: Row[Any]) -> bytes:
        return self._to_record(row).model_dump_json(by_alias=True).encode()
