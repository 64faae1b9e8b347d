"""The records of a file in the canonical forms of the types that a table wants."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import InvalidOperation

import pyarrow as pa

from zcbus.connectors.formats.declared import CONVERSIONS
from zcbus.connectors.formats.isolated import write_stream
from zcbus.connectors.formats.tabular.records import Fault, FileForm, Value, read
from zcbus.model.types import INTEGERS, SIGNED, UNSIGNED, DataType, Kind

MAX_FAULTS = 1000
"""Refused records that are listed."""
_SHOWN = 60
_BITS = dict(zip(SIGNED, (8, 16, 24, 32, 64), strict=True)) | dict(zip(UNSIGNED, (8, 16, 24, 32, 64), strict=True))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A column of the file, by its name, in the form of a type."""

    name: str
    type: DataType


@dataclass(slots=True)
class Converted:
    """`records`: read; `written`: of them; `faults`: the first MAX_FAULTS of the `refused` ones."""

    records: int = 0
    written: int = 0
    refused: int = 0
    faults: list[Fault] = field(default_factory=list)


def convert(path: str, to: str, form: FileForm, wanted: Sequence[Wanted], most: int) -> Converted:
    """Write the records as a stream of Arrow: the wanted columns in their order, and the record's line as text.

    Raises ValueError for a file that cannot be read, for a missing column and for more than `most` records.
    """
    records = read(path, form)
    names = list(records.columns)
    missing = [one.name for one in wanted if one.name not in names]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}")
    places = [(names.index(one.name), one, _converter(one.type)) for one in wanted]
    done = Converted()

    def rows() -> Iterator[list[Value]]:
        for row in records.rows:
            done.records += 1
            if done.records > most:
                raise ValueError(f"more than {most} records")
            fault = row if isinstance(row, Fault) else None
            if not isinstance(row, Fault):
                values: list[Value] = []
                fault = _fill(values, row[0], row[1], places)
                if fault is None:
                    done.written += 1
                    yield [*values, str(row[0])]
            if fault is not None:
                done.refused += 1
                if len(done.faults) < MAX_FAULTS:
                    done.faults.append(fault)

    types = [pa.binary() if one.type.kind is Kind.BINARY else pa.string() for one in wanted]
    write_stream(to, [*types, pa.string()], rows())
    return done


_Converter = Callable[[Value], Value]


def _fill(
    values: list[Value], line: int, row: Sequence[Value], places: Sequence[tuple[int, Wanted, _Converter]]
) -> Fault | None:
    for place, one, converter in places:
        value = row[place]
        try:
            values.append(None if value is None else converter(value))
        except (ValueError, InvalidOperation):
            shown = value.hex() if isinstance(value, bytes) else value
            return Fault(line, one.name, f"no {one.type.native}: {(shown or '')[:_SHOWN]}")
    return None


def _converter(data: DataType) -> _Converter:
    if data.kind is Kind.BINARY:
        return _bytes
    if data.kind in INTEGERS:
        return lambda value: _integer(_text(value), data)
    found = CONVERSIONS.get(Kind.FLOAT64 if data.kind is Kind.FLOAT32 else data.kind)
    return _text if found is None else lambda value: found(_text(value).strip(), data)


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(value)
    return value


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _integer(text: str, data: DataType) -> str | None:
    """An integer within the type; one with a fraction of zeros counts, as spreadsheets write it."""
    whole, _, fraction = text.strip().partition(".")
    if fraction.strip("0"):
        raise ValueError(text)
    number = int(whole)
    bits, signed = _BITS[data.kind], data.kind in SIGNED
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    if not low <= number < high or "_" in whole:
        raise ValueError(text)
    return str(number)
