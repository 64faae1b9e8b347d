"""Import of a file into a table, in one transaction: whole, without the refused records, or not at all."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from zcbus.connectors.errors import RowRefused, TableMissing
from zcbus.connectors.formats.declared import data_type
from zcbus.connectors.formats.isolated import MEMORY_BYTES
from zcbus.connectors.formats.tabular import Converted, FileForm, Wanted, convert
from zcbus.connectors.formats.tabular.conversion import MAX_FAULTS
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import MappedColumn, Target, TargetSession, TargetTable
from zcbus.connectors.roles.sink import enforce_constraints
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.requests.databases import table_name
from zcbus.engine.requests.watch import Watch
from zcbus.kit.confined import Confined, Overrun
from zcbus.kit.errors import TerminalError, ZcbusError
from zcbus.model.batches import select, take
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind
from zcbus.protocol.table_import import ImportOutcome, ImportTable, RefusedRecord

_SECONDS = 300
_ROWS = 2000
_LINE = ""
"""No column of a table has this name."""
_BYTES = DataType(Kind.BINARY, "bytes")


class ImportFileUnusable(TerminalError):
    """The file cannot be read. Facts: detail."""

    code = "import-file-unusable"


class ImportTableExists(TerminalError):
    """The new table exists already. Facts: table."""

    code = "import-table-exists"


class ImportColumnsUnusable(TerminalError):
    """Columns that the table does not have, or that no type of the database takes. Facts: table, columns."""

    code = "import-columns-unusable"


class ImportKeyMissing(TerminalError):
    """Rows are replaced by key, and the mapped columns have none of the table. Facts: table."""

    code = "import-key-missing"


@dataclass(slots=True)
class _Written:
    """What the database took, and what it refused."""

    rows: int = 0
    committed: bool = False
    count: int = 0
    refused: list[RefusedRecord] = field(default_factory=list)

    def refuse(self, batch: pa.RecordBatch, error: RowRefused) -> None:
        self.count += 1
        detail = str(error.facts.get("detail", error))
        self.refused.append(RefusedRecord(line=int(batch.column(_LINE)[0].as_py()), detail=detail[:1000]))


def import_table(request: ImportTable, path: Path, connectors: Connectors, watch: Watch) -> ImportOutcome:
    """Write the file of a path. A withdrawn request undoes it. Raises ImportFileUnusable, ImportTableExists,
    ImportColumnsUnusable, ImportKeyMissing, TableMissing, RequestWithdrawn, and what the target raises."""
    began = time.monotonic()
    watch.reached(0, 1)
    connector, options = connectors(request.connection.kind), options_of(request.connection)
    target = connector.target(options)
    present = _present(target, table_name(request.table))
    if request.create and present is not None and _is_left_over(request, present, connector.reader(options, "target")):
        request = request.model_copy(update={"create": False})
    table = _table(request, present, target)
    with TemporaryDirectory(prefix="zcbus-import-") as folder:
        arrow = Path(folder) / "rows.arrow"
        converted = _convert(request, table, path, arrow)
        malformed = [RefusedRecord(line=one.line, column=one.column, detail=one.detail) for one in converted.faults]
        is_undone = request.check_only or (converted.refused > 0 and not request.skip_refused)
        if is_undone and request.create:
            written = _Written(rows=converted.written)
        else:
            written = _write(request, target, table, _batches(arrow, table), converted, is_undone, watch)
    refused = converted.refused + written.count
    return ImportOutcome(
        committed=written.committed,
        read=converted.records,
        written=written.rows,
        refused=refused,
        records=tuple(sorted([*malformed, *written.refused], key=lambda one: one.line)[:MAX_FAULTS]),
        duration_ms=round((time.monotonic() - began) * 1000),
    )


def _present(target: Target, name: TableName) -> TableSchema | None:
    with target.open() as session:
        return session.describe([name]).get(name)


def _is_left_over(request: ImportTable, present: TableSchema, reader: TableReader) -> bool:
    """Whether an import that was killed may have made the table: it has the columns and the key of the new one, and no
    rows. Servers that commit with each statement of DDL keep such a table."""
    columns = [(column.target, column.key) for column in request.columns]
    with reader:
        return (
            columns == [(name, name in present.primary_key) for name in present.names]
            and next(iter(reader.read(present, (), None, 1)), None) is None
        )


def _table(request: ImportTable, present: TableSchema | None, target: Target) -> TargetTable:
    name = table_name(request.table)
    if not request.create:
        return _existing_table(request, name, present)
    if present is not None:
        raise ImportTableExists(table=name)
    return _new_table(request, name, target)


def _existing_table(request: ImportTable, name: TableName, present: TableSchema | None) -> TargetTable:
    """Values take the forms of the table's own types, as if it were the source."""
    if present is None:
        raise TableMissing(table=str(name), side="target")
    wanted = [column.target for column in request.columns]
    missing = [one for one in wanted if one not in present.names]
    if missing:
        raise ImportColumnsUnusable(table=name, columns=", ".join(missing))
    unique = tuple(key for key in present.unique_keys if set(key) <= set(wanted))
    primary = present.primary_key if set(present.primary_key) <= set(wanted) else ()
    mapped = tuple(column for column in present.columns if column.name in wanted)
    schema = replace(present, columns=mapped, primary_key=primary, unique_keys=unique, indexes=())
    key = schema.key()
    if request.mode == "upsert" and not key:
        raise ImportKeyMissing(table=name)
    return TargetTable(name, _columns(schema), key, schema)


def _new_table(request: ImportTable, name: TableName, target: Target) -> TargetTable:
    key = tuple(column.target for column in request.columns if column.key)
    if request.mode == "upsert" and not key:
        raise ImportKeyMissing(table=name)
    columns = tuple(
        Column(column.target, replace(_type_of(column.type), computed=True), nullable=not column.key)
        for column in request.columns
    )
    schema = TableSchema(name, "", columns, primary_key=key)
    blocking = [note.column for note in target.map_columns(schema, key) if note.blocking]
    if blocking:
        raise ImportColumnsUnusable(table=name, columns=", ".join(blocking))
    return TargetTable(name, _columns(schema), key, schema)


def _type_of(spelled: str) -> DataType:
    return _BYTES if spelled == _BYTES.native else data_type(spelled)


def _columns(schema: TableSchema) -> tuple[MappedColumn, ...]:
    return tuple(MappedColumn(column.name, column.name, column.type, column.nullable) for column in schema.columns)


def _convert(request: ImportTable, table: TargetTable, path: Path, to: Path) -> Converted:
    sources = {column.target: column.source for column in request.columns}
    wanted = tuple(Wanted(sources[column.target], column.type) for column in table.columns)
    form = FileForm(request.form, request.delimiter, request.header, request.sheet)
    with closing(Confined(MEMORY_BYTES, _SECONDS)) as child:
        try:
            return child.call(convert, str(path), str(to), form, wanted, request.row_limit)
        except (ValueError, Overrun) as error:
            raise ImportFileUnusable(detail=str(error)[:300]) from error


def _batches(path: Path, table: TargetTable) -> Iterator[pa.RecordBatch]:
    names = [*(column.source for column in table.columns), _LINE]
    with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as stream:
        for batch in stream:
            named = batch.rename_columns(names)
            for start in range(0, named.num_rows, _ROWS):
                yield named.slice(start, _ROWS)


def _write(
    request: ImportTable,
    target: Target,
    table: TargetTable,
    batches: Iterator[pa.RecordBatch],
    converted: Converted,
    is_undone: bool,
    watch: Watch,
) -> _Written:
    written = _Written()
    with target.open() as session:
        if request.mode == "insert":
            # The other modes delete rows, and a key that cascades would take rows of other tables along.
            enforce_constraints(session)
        if request.create:
            session.create_table(table, CleanMode.NONE)
        try:
            _write_rows(request, session, table, batches, written, lambda done: watch.reached(done, converted.written))
            written.committed = not is_undone and written.count < (MAX_FAULTS if request.skip_refused else 1)
            if written.committed:
                session.commit()
            else:
                _undo(request, session, table)
        except BaseException:
            # The session may be lost, and its transaction with it.
            with suppress(ZcbusError):
                _undo(request, session, table)
            raise
    return written


def _write_rows(
    request: ImportTable,
    session: TargetSession,
    table: TargetTable,
    batches: Iterator[pa.RecordBatch],
    written: _Written,
    on_progress: Callable[[int], None],
) -> None:
    if request.mode == "replace":
        session.truncate(table)

    def put(rows: pa.RecordBatch) -> None:
        plain = select(rows, [column.source for column in table.columns])
        if request.mode == "upsert":
            session.upsert(table, _last_by_key(plain, table))
        else:
            session.load(table, plain)

    done = 0
    for batch in batches:
        on_progress(done)
        _put(session, batch, put, written)
        done += batch.num_rows
        if written.count >= MAX_FAULTS:
            return
    on_progress(done)


def _undo(request: ImportTable, session: TargetSession, table: TargetTable) -> None:
    session.rollback()
    if request.create:
        session.drop_table(table.name)


def _put(
    session: TargetSession, batch: pa.RecordBatch, put: Callable[[pa.RecordBatch], None], written: _Written
) -> None:
    """Write a batch; where the database refuses it, its halves."""
    if written.count >= MAX_FAULTS:
        return
    try:
        with session.savepoint():
            put(batch)
        written.rows += batch.num_rows
    except RowRefused as error:
        if batch.num_rows == 1:
            written.refuse(batch, error)
            return
        middle = batch.num_rows // 2
        _put(session, batch.slice(0, middle), put, written)
        _put(session, batch.slice(middle), put, written)


def _last_by_key(rows: pa.RecordBatch, table: TargetTable) -> pa.RecordBatch:
    """Of rows with one key the last."""
    keys = zip(*(rows.column(name).to_pylist() for name in table.key), strict=True)
    last = {key: number for number, key in enumerate(keys)}
    return take(rows, np.array(sorted(last.values()), np.int64))
