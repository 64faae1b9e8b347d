"""The newest row of each key of a log, in a file of its own; read back where a change has to be completed, and for
comparisons."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.files.target.records import COMMIT, DELETED, ORDER, operations_of, recorded
from zcbus.connectors.files.target.state import Range, plain_value, value_of
from zcbus.connectors.files.target.tables import Definition, Version, WrittenTables
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import TableName, TableSchema

_AT_ONCE = 500
_NEWER = (
    "INSERT INTO latest VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at, nth = excluded.nth, "
    "data = excluded.data WHERE (excluded.at, excluded.nth) > (at, nth)"
)
"""Files of one commit may hold records of a key in any order: each folder of a partition has its own."""


class LatestRows:
    """Of one table. Not thread-safe. Raises TableRefused (files-missing) where a file of the log is not there any
    more."""

    def __init__(self, folder: WrittenFolder, form: WrittenFormat, name: TableName) -> None:
        self._folder, self._form, self._name = folder, form, name
        self._read = Range(1, 0)
        self._version: Version | None = None
        # A file without a name: in memory while it is small, and gone with the connection.
        self._file = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute(
            "CREATE TABLE latest (key BLOB PRIMARY KEY, at INTEGER NOT NULL, nth INTEGER NOT NULL, data BLOB) "
            "WITHOUT ROWID"
        )

    def refresh(self, tables: WrittenTables, wanted: Range) -> None:
        """Read what is new. `wanted`: the table's files."""
        definition = tables.definition(self._name)
        if definition is None:
            raise TableMissing(table=str(self._name), side="target")
        if wanted.first != self._read.first or wanted.last < self._read.last:
            self._file.execute("DELETE FROM latest")
            self._read, self._version = Range(wanted.first, wanted.first - 1), None
        if self._read.last < wanted.last:
            places = self._places(wanted)
            for number in range(self._read.last + 1, wanted.last + 1):
                self._follow(definition, number)
                self._apply(definition.at(number).schema, places[number])
            # Of what was deleted no earlier record can follow any more.
            self._file.execute("DELETE FROM latest WHERE data IS NULL")
            self._read = wanted
        self._follow(definition, wanted.last + 1)

    def keys(self) -> Iterator[list[Key]]:
        """All keys, in parts."""
        last = b""
        while True:
            statement = "SELECT key FROM latest WHERE key > ? ORDER BY key LIMIT ?"
            found = [key for (key,) in self._file.execute(statement, (last, _AT_ONCE))]
            if not found:
                return
            last = found[-1]
            yield [tuple(value_of(one) for one in orjson.loads(key)) for key in found]

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        names = [None if key is None else _text(key) for key in self._form.normal_keys(table, keys)]
        found: dict[bytes, bytes] = {}
        wanted = [one for one in names if one is not None]
        for begin in range(0, len(wanted), _AT_ONCE):
            part = wanted[begin : begin + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            found |= self._file.execute(f"SELECT key, data FROM latest WHERE key IN ({marks})", part).fetchall()
        return [None if one is None or one not in found else _row(table, found[one]) for one in names]

    def close(self) -> None:
        """Idempotent."""
        self._file.close()

    def _places(self, wanted: Range) -> Mapping[int, str]:
        suffix = self._form.suffix
        found: dict[int, str] = {}
        for file in self._folder.below(folder_of(self._name.table)):
            number = file.name.rpartition("/")[2].removesuffix(suffix)
            if file.name.endswith(suffix) and number.isdecimal():
                found[int(number)] = file.name
        missing = next((one for one in range(self._read.last + 1, wanted.last + 1) if one not in found), None)
        if missing is not None:
            raise self._missing(f"{missing:012}{suffix}")
        return found

    def _apply(self, table: TableSchema, place: str) -> None:
        data = self._folder.get(place)
        if data is None:
            raise self._missing(place)
        try:
            records = self._form.decode(recorded(self._form, table).columns, data)
        except (ValueError, KeyError, TypeError) as error:
            raise TableRefused(table=str(self._name), column="", reason="folder-of-others", detail=place) from error
        keys = [_text(key) for key in keys_of(records.select(list(table.primary_key)))]
        gone = [one == DELETED for one in operations_of(records)]
        rows = (_data(values) for values in _rows(records.select(list(table.names))))
        orders: Iterator[tuple[Any, Any]] = zip(
            records.column(COMMIT).to_pylist(), records.column(ORDER).to_pylist(), strict=True
        )
        found = (
            (key, int(commit), int(order), None if is_gone else row)
            for key, (commit, order), is_gone, row in zip(keys, orders, gone, rows, strict=True)
        )
        self._file.execute("BEGIN")
        self._file.executemany(_NEWER, found)
        self._file.execute("COMMIT")

    def _follow(self, definition: Definition, number: int) -> None:
        """Let the rows have the structure of a file."""
        wanted = definition.at(number)
        if wanted is self._version:
            return
        known = definition.versions
        begin = known.index(self._version) + 1 if self._version in known else 0
        for version in known[begin : known.index(wanted) + 1]:
            if version.reshaping.touches_rows:
                self._reshape(version.schema, version.reshaping)
        self._version = wanted

    def _reshape(self, table: TableSchema, change: Reshaping) -> None:
        before = self._file.execute("SELECT at, nth, data FROM latest WHERE data IS NOT NULL").fetchall()
        self._file.execute("BEGIN")
        self._file.execute("DELETE FROM latest")
        for at, nth, data in before:
            row = change.row({name: value_of(one) for name, one in orjson.loads(data).items()})
            key = _text(tuple(row.get(name) or "" for name in table.primary_key))
            self._file.execute("INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?)", (key, at, nth, _data(row)))
        self._file.execute("COMMIT")

    def _missing(self, place: str) -> TableRefused:
        return TableRefused(table=str(self._name), column="", reason="files-missing", detail=place)


def _rows(batch: pa.RecordBatch) -> Iterator[Row]:
    names = batch.schema.names
    return (
        dict(zip(names, values, strict=True))
        for values in zip(*(one.to_pylist() for one in batch.columns), strict=True)
    )


def _text(key: Key) -> bytes:
    return orjson.dumps([plain_value(one) for one in key])


def _data(row: Row) -> bytes:
    return orjson.dumps({name: plain_value(one) for name, one in row.items()})


def _row(table: TableSchema, data: bytes) -> Row:
    found = orjson.loads(data)
    return {name: value_of(found.get(name)) for name in table.names}
