"""Rows of one side of a comparison, and their keys in the common form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from zcbus.model.batches import concat

if TYPE_CHECKING:
    from zcbus.engine.comparison.forms import ComparedColumn
    from zcbus.engine.comparison.sides import Plan

Key = tuple[str, ...]
"""Of a row, in the common form; bytes in hexadecimal."""


@dataclass(slots=True)
class Part:
    """Rows of one side in the order of the key."""

    rows: pa.RecordBatch
    keys: pa.RecordBatch
    """Their key columns in the common form."""

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    def slice(self, first: int, count: int | None = None) -> "Part":
        """`count` rows from `first`; None: all the rest."""
        return Part(self.rows.slice(first, count), self.keys.slice(first, count))

    def key(self, index: int) -> Key:
        """Key of one row."""
        return tuple(_text(column[index].as_py()) for column in self.keys.columns)

    def every_key(self) -> list[Key]:
        """Keys of all rows, in their order."""
        columns = [[_text(value) for value in column.to_pylist()] for column in self.keys.columns]
        return list(zip(*columns, strict=True))


def joined(parts: Sequence[Part]) -> Part:
    """Parts of one side end to end."""
    return Part(concat([part.rows for part in parts]), concat([part.keys for part in parts]))


def source_keys(plan: "Plan", rows: pa.RecordBatch) -> pa.RecordBatch:
    """Key columns of rows of the source in the common form."""
    return keys_in_form(plan, rows, lambda column: column.from_source)


def keys_in_form(
    plan: "Plan", rows: pa.RecordBatch, form: "Callable[[ComparedColumn], Callable[[Any], Any]]"
) -> pa.RecordBatch:
    """Key columns of rows. `form`: what brings a column's values into the common form."""
    arrays = [form(column)(rows.column(column.name)) for column in plan.key]
    return pa.RecordBatch.from_arrays(arrays, names=list(plan.source_key))


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
