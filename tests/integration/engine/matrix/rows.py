"""The rows of a run, and the one form in which those of every target are compared with them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

COLUMNS = ("id", "name", "amount", "made")
TEN = 10
"""Changes concern so many rows that follow each other: those of one file, where rows are in files."""
_FIRST = datetime(2024, 2, 29, 23, 59, 59, 500_000)
_LARGEST = Decimal("9999999999.99")


class Row(NamedTuple):
    """`made` is a time without a zone, or of UTC where the source has times of zones only; in milliseconds."""

    id: int
    name: str | None
    amount: Decimal | None
    made: datetime | None


Rows = dict[int, Row]


def fresh(first: int, count: int) -> Rows:
    """Rows by their ids. Some have no value, or one that is hard to write."""
    return {number: _row(number) for number in range(first, first + count)}


def changed(rows: Iterable[Row]) -> Rows:
    """The same rows with other values."""
    return {row.id: Row(row.id, f"改 {row.id}", _amount(row.id + 1), None) for row in rows}


def _row(number: int) -> Row:
    made = None if number % 13 == 0 else _FIRST + timedelta(minutes=number)
    return Row(number, _name(number), _amount(number), made)


def _name(number: int) -> str | None:
    if number % 7 == 0:
        return None
    return f'O\'Neil, "{number}" \\ 𠮷田' if number % 5 == 0 else f"名称 {number}"


def _amount(number: int) -> Decimal | None:
    if number % 11 == 0:
        return None
    return _LARGEST if number == 1 else Decimal(number * (-1) ** number) + Decimal("0.25")


def texts(row: Row) -> dict[str, Any]:
    """As an object of JSON has it."""
    amount = None if row.amount is None else str(row.amount)
    made = None if row.made is None else row.made.isoformat(timespec="milliseconds")
    return {"id": row.id, "name": row.name, "amount": amount, "made": made}


def ordered(rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """A target's rows by their ids, whatever its types are. Columns besides COLUMNS are its source's own."""
    return sorted((row_of([row.get(name) for name in COLUMNS]) for row in rows), key=lambda row: row.id)


def row_of(values: Sequence[Any]) -> Row:
    """By values in the order of COLUMNS."""
    number, name, amount, made = values
    return Row(
        int(number),
        name,
        None if amount is None else Decimal(str(amount)).quantize(Decimal("0.01")),
        None if made is None else _time(made),
    )


def _time(value: Any) -> datetime:
    if hasattr(value, "as_datetime"):  # of BSON
        value = value.as_datetime()
    found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return found if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)
