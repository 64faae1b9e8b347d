"""Folders of a table's files by values of columns and by the time of writing, as Hive names them.

`country=CN/dt=2026-01-31/`: the columns first. What Hive and Spark escape is escaped alike, as `%3A`; null and the
empty text are `__HIVE_DEFAULT_PARTITION__`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.model.schema import TableSchema

NOTHING = "__HIVE_DEFAULT_PARTITION__"
_ESCAPED = re.compile(r"[\x00-\x1f\x7f\"#%'*/:=?\\{\[\]^]")
_MAX_BYTES = 200
"""Of one folder's name: file systems allow 255."""


class Partitions:
    """How one commit's rows are divided."""

    def __init__(self, columns: str, period: str) -> None:
        """`columns`: names, divided by commas; each table uses those that it has. `period`: none, day, hour."""
        self._columns = tuple(filter(None, (one.strip() for one in columns.split(","))))
        self._period = period

    def of_time(self, now: datetime) -> str:
        """Folder of the time of writing, in UTC."""
        return {"day": f"dt={now:%Y-%m-%d}/", "hour": f"dt={now:%Y-%m-%d}/hr={now:%H}/"}.get(self._period, "")

    def columns(self, table: TableSchema) -> list[str]:
        """Those that a table has."""
        return [one for one in self._columns if one in table.names]

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """Raise RowRefused for a value that is too long for a folder's name."""
        for name in self.columns(table):
            if name in rows.schema.names:
                values: Any = rows.column(name)
                for value in values.dictionary_encode().dictionary.to_pylist():
                    if len(_folder(name, value).encode()) > _MAX_BYTES:
                        detail = f"column {name}: a value of {len(value)} characters names no folder of a partition"
                        raise RowRefused(table=str(table.name), detail=detail)

    def divided(self, table: TableSchema, rows: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Rows by folder of their values, in their order. Columns that they lack are null."""
        names = self.columns(table)
        if not names or not rows.num_rows:
            yield "", rows
            return
        places = np.zeros(rows.num_rows, np.int64)
        folders = [""]
        for name in names:
            found, values = _values(name, rows)
            places, codes = _joined(places, found, len(values))
            folders = [folders[code // len(values)] + values[code % len(values)] + "/" for code in codes]
        order = np.argsort(places, kind="stable")
        begins = np.searchsorted(places[order], np.arange(len(folders) + 1))
        for number, folder in enumerate(folders):
            yield folder, rows.take(order[begins[number] : begins[number + 1]])


def _values(name: str, rows: pa.RecordBatch) -> tuple[np.ndarray, list[str]]:
    """Of each row the number of its folder, and the folders."""
    if name not in rows.schema.names:
        return np.zeros(rows.num_rows, np.int64), [_folder(name, None)]
    column: Any = rows.column(name)
    encoded = column.dictionary_encode(null_encoding="encode")
    numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers, [_folder(name, one) for one in encoded.dictionary.to_pylist()]


def _joined(before: np.ndarray, found: np.ndarray, count: int) -> tuple[np.ndarray, Sequence[int]]:
    """Two numbers of each row as one from 0 on, and what each stands for: `before * count + found`."""
    codes, places = np.unique(before * count + found, return_inverse=True)
    return places, codes.tolist()


def _folder(name: str, value: str | bytes | None) -> str:
    text = value.hex() if isinstance(value, bytes) else value
    return f"{_escaped(name)}={_escaped(text) if text else NOTHING}"


def _escaped(text: str) -> str:
    found = _ESCAPED.sub(lambda one: f"%{ord(one[0]):02X}", text)
    return f"%2E{found[1:]}" if found.startswith(".") else found  # stores leave out what begins with a dot
