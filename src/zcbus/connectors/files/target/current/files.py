"""Files of current rows, read and put in order."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.files.target.state import CurrentFile
from zcbus.connectors.files.target.tables import Definition
from zcbus.connectors.formats.written.form import WrittenFormat, empty
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.order import Ordered, order_of
from zcbus.connectors.writing.session import batch_of
from zcbus.model.schema import TableName, TableSchema

_KEPT = 2
"""Files whose rows stay in memory."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows in the order of their keys."""

    batch: pa.RecordBatch
    keys: list[Key]


@dataclass(slots=True)
class FileReader:
    """Reads the files of one folder; a file never changes, so the last ones are kept."""

    folder: WrittenFolder
    form: WrittenFormat
    _kept: OrderedDict[tuple[TableName, int], tuple[TableSchema, Rows]] = field(default_factory=OrderedDict)

    def read(self, definition: Definition, table: TableSchema, file: CurrentFile, data: bytes | None = None) -> Rows:
        """All rows of a file in a structure that followed its own. `data`: its bytes, where it has no place yet. Raises
        TableRefused (files-missing) where it is not there any more."""
        place = table.name, file.number
        kept = self._kept.get(place)
        if kept is not None and kept[0] == table:
            self._kept.move_to_end(place)
            return kept[1]
        found = self._rows(definition, table, file, data)
        if data is not None:
            return found  # the number belongs to another file if the commit fails
        self._kept[place] = table, found
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """Give the memory back."""
        self._kept.clear()

    def _rows(self, definition: Definition, table: TableSchema, file: CurrentFile, data: bytes | None) -> Rows:
        given = self.folder.get(file.place) if data is None else data
        if given is None:
            raise TableRefused(table=str(table.name), column="", reason="files-missing", detail=file.place)
        own = definition.at(file.number)
        try:
            batch = self.form.decode(own.schema.columns, given)
        except (ValueError, KeyError, TypeError) as error:
            raise TableRefused(
                table=str(table.name), column="", reason="folder-of-others", detail=file.place
            ) from error
        # By identity: an alteration that was repeated after a kill is there twice.
        index = next(place for place, one in enumerate(definition.versions) if one is own)
        later = [one.reshaping for one in definition.versions[index + 1 :]]
        if any(one.touches_rows for one in later):
            rows = batch.to_pylist()
            for change in later:
                rows = [change.row(row) for row in rows]
            batch = batch_of(table, rows)
        batch = shaped(table, batch)
        return Rows(batch, keys_of(batch.select(list(table.primary_key))))


def ordered(table: TableSchema) -> Ordered:
    """Order of a table's keys."""
    return order_of([table.column(name) for name in table.primary_key])


def stored_table(table: TableSchema) -> TableSchema:
    """A table's columns in files: columns may have been added behind rows that lack them."""
    columns = tuple(replace(one, nullable=one.name not in table.primary_key) for one in table.columns)
    return replace(table, columns=columns)


def shaped(table: TableSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Exactly the table's columns; null where the batch lacks one."""
    names = set(batch.schema.names)
    arrays = [batch.column(one.name) if one.name in names else empty(one, batch.num_rows) for one in table.columns]
    return pa.RecordBatch.from_arrays(arrays, names=list(table.names))


class CurrentRows:
    """The rows of one table as one state has them; see Writer.keys and Writer.rows."""

    def __init__(self, reader: FileReader, definition: Definition, files: Sequence[CurrentFile]) -> None:
        self._reader, self._definition, self._files = reader, definition, files

    def keys(self) -> Iterator[list[Key]]:
        """All keys, file by file."""
        for one in self._files:
            yield self._reader.read(self._definition, self._definition.schema, one).keys

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> Iterator[tuple[Key, dict[str, str | bytes | None]]]:
        """Those that are there, by key."""
        order = ordered(table)
        wanted = sorted((order(key), key) for key in set(keys))
        for file in self._files:
            first, last = order(file.span.first), order(file.span.last)
            within = {key for place, key in wanted if first <= place <= last}
            if not within:
                continue
            rows = self._reader.read(self._definition, self._definition.schema, file)
            places = [place for place, key in enumerate(rows.keys) if key in within]
            found = shaped(table, rows.batch.take(pa.array(places, pa.int64()))).to_pylist()
            yield from zip((rows.keys[place] for place in places), found, strict=True)
