"""Merges changes of rows into the files of a table: files without changes stay, small neighbours become one.

Files of one folder hold ranges of keys that do not overlap. A row whose partition changed is taken out of the file of
its old folder, so every file whose range has a changed key is checked.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pyarrow as pa

from zcbus.connectors.files.target.current.files import FileReader, Rows, ordered, shaped, stored_table
from zcbus.connectors.files.target.partitions import Partitions
from zcbus.connectors.files.target.records import as_field
from zcbus.connectors.files.target.state import CurrentFile, FilePart, FolderState, Part, Replacement, Span
from zcbus.connectors.files.target.tables import Definition
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.roles.writer import Key, PutRows, RowOperation
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import TableSchema


@dataclass(slots=True)
class _Segment:
    """A range of keys within a folder: a file, or what takes its place."""

    file: CurrentFile | None = None
    changes: bool = False
    """Whether its file is written again."""
    new: list[Rows] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """About as many as its rows have."""
        return (self.file.span.bytes if self.file is not None else 0) + sum(one.batch.nbytes for one in self.new)


@dataclass(slots=True)
class Changes:
    """The last change of each key of a table."""

    table: TableSchema
    batches: list[pa.RecordBatch] = field(default_factory=list)
    last: dict[Key, tuple[int, int] | None] = field(default_factory=dict)
    """Batch and row within it; None: the row is deleted."""
    bytes: int = 0

    def add(self, form: WrittenFormat, operation: RowOperation) -> None:
        """A later one counts."""
        puts = isinstance(operation, PutRows)
        rows = operation.rows if isinstance(operation, PutRows) else operation.keys
        keys = form.normal_keys(self.table, keys_of(rows.select(list(self.table.primary_key))))
        if puts:
            self.batches.append(shaped(self.table, rows))
        number = len(self.batches) - 1
        self.last.update((key, (number, place) if puts else None) for place, key in enumerate(keys) if key is not None)
        self.bytes += rows.nbytes

    def rows(self) -> pa.RecordBatch:
        """What is put, in any order."""
        by_batch: dict[int, list[int]] = {}
        for place in self.last.values():
            if place is not None:
                by_batch.setdefault(place[0], []).append(place[1])
        taken = [self.batches[number].take(pa.array(places, pa.int64())) for number, places in by_batch.items()]
        return _joined(self.table, taken)


class Merge:
    """Merges changes into one table's files, as parts of one commit."""

    def __init__(
        self,
        state: FolderState,
        reader: FileReader,
        definition: Definition,
        partitions: Partitions,
        limit: int,
    ) -> None:
        """`limit`: bytes of a file's rows before encoding."""
        self._state, self._reader, self._definition = state, reader, definition
        self._partitions, self._limit = partitions, limit
        name = definition.schema.name.table
        self._files = {one.number: one for one in state.current(name)}
        self._own: set[int] = set()
        """Numbers of files that this commit has written."""

    def merged(self, changes: Changes) -> Iterator[Part]:
        """The parts that make the changes; each is to be carried out before the next is asked for."""
        table, order = changes.table, ordered(changes.table)
        touched = sorted(order(key) for key in changes.last)
        new = {folder: _sorted(table, rows) for folder, rows in self._partitions.divided(table, changes.rows())}
        for folder in sorted({one.span.folder for one in self._files.values()} | new.keys()):
            own = [one for one in self._files.values() if one.span.folder == folder]
            segments = [_Segment(one) for one in sorted(own, key=lambda one: order(one.span.first))]
            if folder in new and new[folder].keys:
                segments = self._with_new(table, segments, new[folder])
            for one in segments:
                if one.file is not None and not one.changes:
                    near = _has_any(touched, order(one.file.span.first), order(one.file.span.last))
                    one.changes = near and any(key in changes.last for key in self._read(table, one.file).keys)
            yield from self._written(table, folder, segments, changes)

    def rewritten(self, table: TableSchema) -> Iterator[Part]:
        """The parts by which all files follow a change of structure."""
        for file in list(self._files.values()):
            yield from self._written(table, file.span.folder, [_Segment(file, changes=True)], Changes(table))

    def _with_new(self, table: TableSchema, segments: list[_Segment], new: Rows) -> list[_Segment]:
        """Each new row goes to the file before it, if its range has some of them, or it is small; else rows between
        two files begin files of their own."""
        order = ordered(table)
        firsts = [order(one.file.span.first) for one in segments if one.file is not None]
        at = [bisect_right(firsts, order(key)) - 1 for key in new.keys]
        found = [_Segment(), *segments]
        borders = [0, *(place for place in range(1, len(at)) if at[place] != at[place - 1]), len(at)]
        after: dict[int, _Segment] = {}
        for begin, end in pairwise(borders):
            rows, place = _taken(new, range(begin, end)), at[begin] + 1
            file = found[place].file
            if file is not None and self._takes(table, file, rows):
                found[place].changes = True
                found[place].new.append(rows)
            else:
                after[place] = _Segment(None, changes=True, new=[rows])
        known = ((found[place], after.get(place)) for place in range(len(found)))
        return [one for pair in known for one in pair if one is not None and (one.file is not None or one.new)]

    def _takes(self, table: TableSchema, file: CurrentFile, rows: Rows) -> bool:
        order = ordered(table)
        return file.span.bytes < self._limit // 2 or order(rows.keys[0]) <= order(file.span.last)

    def _written(
        self, table: TableSchema, folder: str, segments: Sequence[_Segment], changes: Changes
    ) -> Iterator[Part]:
        """Neighbours that change become one where they are small; a small one that would stay is taken along."""
        group: list[_Segment] = []
        for one in segments:
            joins = bool(group) and sum(each.bytes for each in group) + one.bytes <= self._limit // 2
            if joins:
                group.append(one)
            else:
                yield from self._ended(table, folder, group, changes)
                group = [one] if one.changes else []
        yield from self._ended(table, folder, group, changes)

    def _ended(self, table: TableSchema, folder: str, group: Sequence[_Segment], changes: Changes) -> Iterator[Part]:
        parts: list[pa.RecordBatch] = []
        for one in group:
            parts += [rows.batch for rows in one.new]
            if one.file is not None:
                rows = self._read(table, one.file)
                parts.append(_taken(rows, [n for n, key in enumerate(rows.keys) if key not in changes.last]).batch)
                del self._files[one.file.number]
                yield Replacement(table.name.table, one.file.number)
        rows = _sorted(table, _joined(table, parts))
        count = -(-max(rows.batch.nbytes, 1) // self._limit)
        step = max(1, -(-len(rows.keys) // count))
        for begin in range(0, len(rows.keys), step):
            yield from self._file(table, folder, _taken(rows, range(begin, min(begin + step, len(rows.keys)))))

    def _file(self, table: TableSchema, folder: str, rows: Rows) -> Iterator[Part]:
        form = self._reader.form
        span = Span(folder, rows.keys[0], rows.keys[-1], len(rows.keys), rows.batch.nbytes)
        place = f"{folder_of(table.name.table)}/{as_field(folder)}{{}}{form.suffix}"
        part = FilePart(table.name.table, place, form.encode(stored_table(table), [rows.batch]), span)
        yield part
        self._own.add(part.number)
        self._files[part.number] = CurrentFile(part.number, place.format(f"{part.number:012}"), span)

    def _read(self, table: TableSchema, file: CurrentFile) -> Rows:
        data = self._state.read_hidden(file.number, table.name.table) if file.number in self._own else None
        return self._reader.read(self._definition, table, file, data)


def _has_any(places: Sequence[Any], first: object, last: object) -> bool:
    """Whether sorted places have one of a range."""
    begin = bisect_right(places, first)
    return (begin > 0 and places[begin - 1] == first) or (begin < len(places) and places[begin] <= last)


def _joined(table: TableSchema, batches: Iterable[pa.RecordBatch]) -> pa.RecordBatch:
    whole = pa.Table.from_batches([shaped(table, pa.RecordBatch.from_pydict({})), *batches]).combine_chunks()
    found = whole.to_batches()
    return found[0] if found else shaped(table, pa.RecordBatch.from_pydict({}))


def _sorted(table: TableSchema, batch: pa.RecordBatch) -> Rows:
    keys, order = keys_of(batch.select(list(table.primary_key))), ordered(table)
    places = [order(key) for key in keys]
    if all(one <= other for one, other in pairwise(places)):
        return Rows(batch, keys)
    return _taken(Rows(batch, keys), sorted(range(len(keys)), key=places.__getitem__))


def _taken(rows: Rows, places: Sequence[int]) -> Rows:
    if isinstance(places, range):
        return Rows(rows.batch.slice(places.start, len(places)), rows.keys[places.start : places.stop])
    return Rows(rows.batch.take(pa.array(places, pa.int64())), [rows.keys[place] for place in places])
