"""Records of a resource, page by page, and what they are as rows of its table."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from urllib.parse import quote

import orjson
import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.formats.declared import canonical
from zcbus.connectors.formats.form import BadRecord
from zcbus.connectors.formats.json_text import json_of, text_of
from zcbus.connectors.http import paths
from zcbus.connectors.http.client import Client, HttpRefusal
from zcbus.connectors.http.document import CursorPart, Interface, Resource
from zcbus.connectors.http.notation import ISO, Notation, notation_of
from zcbus.connectors.http.pages import Call, first_call, next_call
from zcbus.connectors.http.parts import ColumnPart
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.connectors.http.templates import ValueMissing, filled, filled_below, parameters
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import Kind

_MAX_KEY_LENGTH = 255
_PARENTS_TRIED = 3
Record = tuple[Any, Mapping[str, Any]]
"""A record, and that of its parent (empty: it has none)."""


def schema_of(resource: Resource, kind: str) -> TableSchema:
    """The table of a resource."""
    needed = _needed(resource)
    columns = tuple(Column(name, part.data, name not in needed) for name, part in resource.columns.items())
    return TableSchema(TableName(SCHEMA, resource.name), kind, columns, primary_key=tuple(resource.key))


def _needed(resource: Resource) -> set[str]:
    """Columns that must have a value."""
    return {*resource.key, *((resource.cursor.column,) if resource.cursor else ())}


class Records:
    """Reads resources of one interface. Not for several threads. Raises what Client does, and TableRefused."""

    def __init__(self, options: HttpOptions, interface: Interface, client: Client) -> None:
        self._interface, self._client = interface, client
        self._values = {**parameters(options.parameters), "account": options.account}
        self._notations: dict[str, Notation] = {}

    def batches(self, resource: Resource, after: str | None = None) -> Iterator[pa.RecordBatch]:
        """Rows, a page each, in the order of the service. `after`: where changes are asked for from, as the canonical
        text of the cursor's column; None: all."""
        number = 0
        for reading in self._readings(resource, after):
            for page in self._with_table(resource, reading):
                try:
                    rows = _rows(resource, page, number)
                except BadRecord as bad:
                    raise refused(resource, f"record {bad.record}: {bad.detail}") from bad
                number += rows.num_rows
                yield rows
                if _is_last(rows, resource, after):
                    break

    def first_page(self, resource: Resource) -> list[Record]:
        """The first non-empty page, of at most three parents; [] if there is none."""
        for reading in islice(self._readings(resource, None), _PARENTS_TRIED):
            page = next(self._with_table(resource, reading), [])
            if page:
                return page
        return []

    def _with_table(self, resource: Resource, pages: Iterator[list[Record]]) -> Iterator[list[Record]]:
        try:
            yield from pages
        except HttpRefusal as error:
            raise refused(resource, str(error)) from error
        except ValueMissing as error:
            raise refused(resource, f"${{{error}}}: no value") from error

    def _readings(self, resource: Resource, after: str | None) -> Iterator[Iterator[list[Record]]]:
        """Pages of records: one reading, or one for each record of the parent."""
        if resource.parent is None:
            yield self._of_one(resource, self._values, {}, after)
            return
        parents = self._interface.resource(resource.parent.resource)
        assert parents is not None
        for reading in self._readings(parents, None):
            for page in self._with_table(parents, reading):
                for parent, _ in page:
                    found = {name: text_of(paths.first(parent, path)) for name, path in resource.parent.values.items()}
                    known = {f"parent.{name}": value for name, value in found.items() if value is not None}
                    yield self._of_one(resource, {**self._values, **known}, parent, after)

    def _of_one(
        self, resource: Resource, values: Mapping[str, str], parent: Any, after: str | None
    ) -> Iterator[list[Record]]:
        pages = resource.pages or self._interface.pages
        expect = resource.expect or self._interface.expect
        headers = {name: filled(value, values) for name, value in resource.headers.items()}
        notation = self._notation(resource) if after is not None else ISO
        call: Call | None = first_call(pages, _call(resource, values, after, notation))
        seen: set[int] = set()
        while call is not None:
            content = orjson.dumps(call.body) if call.body is not None else b""
            answer = self._client.ask(
                call.place, call.query, method=resource.method, headers=headers, content=content, expect=expect
            )
            records = _found(resource, answer.value)
            yield [(record, parent) for record in records]
            call = next_call(pages, call, answer, records)
            asked = hash(repr(call and (call.place, sorted(call.query.items()), call.body)))
            if call is not None and (asked in seen or call.number >= self._interface.limits.pages):
                raise refused(resource, f"page {call.number + 1}: asks for the same again, or too many")
            seen.add(asked)

    def _notation(self, resource: Resource) -> Notation:
        """That of the cursor's column. A service that answers nothing without a cursor is asked in ISO's."""
        cursor = resource.cursor
        if cursor is None or not _is_time_as_it_comes(cursor, resource.columns[cursor.column]):
            return ISO
        if resource.name not in self._notations:
            try:
                page = self.first_page(resource)
            except TableRefused:
                page = []
            part = resource.columns[cursor.column]
            every = (notation_of(value_of(cursor.column, part, record, parent)) for record, parent in page)
            found = next((one for one in every if one is not None), None)
            if found is None:
                return ISO
            self._notations[resource.name] = found
        return self._notations[resource.name]


def refused(resource: Resource, detail: str) -> TableRefused:
    """An answer is not as the document says."""
    return TableRefused(table=f"{SCHEMA}.{resource.name}", column="", reason="http-answer", detail=detail[:500])


def _call(resource: Resource, values: Mapping[str, str], after: str | None, notation: Notation) -> Call:
    cursor = resource.cursor
    query, body = dict(resource.query), resource.body
    known = dict(values)
    if cursor is not None and after is not None:
        known["cursor"] = spelled(cursor, resource.columns[cursor.column], after, notation)
        query |= cursor.query
        body = {**(body or {}), **cursor.body} if cursor.body else body
    # A value is one part of a path, whatever it has.
    in_path = {name: quote(value, safe="") for name, value in known.items() if value not in (".", "..", "")}
    return Call(
        filled(resource.path, in_path),
        {name: filled(value, known) for name, value in query.items()},
        filled_below(body, known) if body is not None else None,
    )


def _is_time_as_it_comes(cursor: CursorPart, column: ColumnPart) -> bool:
    return cursor.format == "plain" and column.unit is None and column.data.kind in (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)


def spelled(cursor: CursorPart, column: ColumnPart, after: str, notation: Notation = ISO) -> str:
    """Where changes are asked for from, as the service wants it. `notation`: of times as they come."""
    kind = column.data.kind
    if kind is Kind.TEXT:
        return after
    if kind is Kind.INT64:
        return str(int(after) - cursor.overlap)
    moment = datetime.fromisoformat(after.removesuffix("+00")).replace(tzinfo=UTC) - timedelta(seconds=cursor.overlap)
    form = cursor.format if cursor.format != "plain" or column.unit is None else column.unit
    if form in ("seconds", "milliseconds"):
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        return str(since // timedelta(**{form: 1}))
    if form == "minute":
        return f"{moment:%Y-%m-%d %H:%M}"
    if form == "second":
        moment = moment.replace(microsecond=0)
    return notation.text(moment, zoned=kind is Kind.TIMESTAMP_TZ)


def _found(resource: Resource, value: Any) -> list[Any]:
    found = paths.every(value, resource.records)
    records = found[0] if len(found) == 1 and isinstance(found[0], list) else [one for one in found if one is not None]
    if not resource.header_row:
        return records
    names = records[0] if records else []
    if not all(isinstance(one, list) for one in records):
        raise refused(resource, "header_row: records are no lists")
    return [dict(zip(map(str, names), row, strict=False)) for row in records[1:]]


def _rows(resource: Resource, page: Sequence[Record], before: int) -> pa.RecordBatch:
    """Raises BadRecord."""
    arrays = [column_of(resource, name, page, before) for name in resource.columns]
    return pa.RecordBatch.from_arrays(arrays, names=list(resource.columns))


def column_of(resource: Resource, name: str, page: Sequence[Record], before: int) -> ArrowArray:
    """Canonical texts of a column. `before`: number of records on earlier pages. Raises BadRecord."""
    part = resource.columns[name]
    try:
        values = [value_of(name, part, record, parent) for record, parent in page]
        array = canonical(pa.array(values, pa.string()), part.data, name, before)
    except (UnicodeError, pa.ArrowInvalid) as error:  # a lone half of a surrogate pair
        raise BadRecord(0, f"{name}: {error}") from error
    except RecursionError as error:
        raise BadRecord(0, f"{name}: nested too deeply") from error
    if name in _needed(resource) and array.null_count:
        row = array.is_null().to_pylist().index(True)
        raise BadRecord(before + row + 1, f"{name}: no value")
    if name in resource.key:
        _short(name, array, before)
    return array


def _short(name: str, array: Any, before: int) -> None:
    for number, value in enumerate(array.to_pylist(), before + 1):
        if len(value) > _MAX_KEY_LENGTH:
            raise BadRecord(number, f"{name}: longer than {_MAX_KEY_LENGTH}")


def value_of(name: str, part: ColumnPart, record: Any, parent: Any) -> str | None:
    """The value of a column in a record, as text."""
    if part.parent is not None:
        found = paths.first(parent, part.parent)
    elif part.path is not None:
        found = paths.first(record, part.path)
    else:
        found = record.get(name) if isinstance(record, dict) else None
    if found is None:
        return None
    if part.unit is not None:
        return _moment(str(text_of(found)), part.unit)
    return json_of(found) if part.data.kind is Kind.JSON else text_of(found)


def _moment(text: str, unit: str) -> str:
    try:
        count = Decimal(text) * (1 if unit == "milliseconds" else 1000)
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(count))
    except (ArithmeticError, ValueError):
        return text  # the type says what is wrong with it
    return moment.isoformat(sep=" ")


def _is_last(rows: pa.RecordBatch, resource: Resource, after: str | None) -> bool:
    """Whether no page behind this one has anything behind the cursor."""
    if after is None or resource.cursor is None or not resource.cursor.newest_first:
        return False
    column = resource.columns[resource.cursor.column]
    return not any(behind(column, value, after) for value in rows.column(resource.cursor.column).to_pylist())


def behind(column: ColumnPart, value: str | None, after: str) -> bool:
    """Whether a cursor is behind another."""
    assert value is not None
    return int(value) > int(after) if column.data.kind is Kind.INT64 else value.encode() > after.encode()
