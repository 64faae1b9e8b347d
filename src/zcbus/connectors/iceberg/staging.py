"""Files with the rows of a load, written before the load's transaction is decided; then a snapshot of their table has
them. So the rows are written once."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from pyiceberg.table import Table

from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.iceberg.catalogue import LakeCatalogue
from zcbus.connectors.iceberg.committing import data_files
from zcbus.connectors.iceberg.types import TYPES, plain
from zcbus.connectors.lakes.parts import GONE, Part, put_rows, whole


def stage(catalogue: LakeCatalogue, part: Part) -> Part:
    """See LakeWriter.stage."""
    table = catalogue.open(part.table)
    if table is None or not table.spec().is_unpartitioned():
        return part
    with catalogue.translated(part.table):
        there = plain(table.schema().as_arrow())
        if {*there.names, GONE} != set(part.rows.schema.names):
            return part
        files = data_files(table.metadata, table.io, whole(TYPES, put_rows(part.rows), there))
        if len(files) != 1:
            for file in files:
                catalogue.files.delete(file.file_path)
            return part
    return replace(part, staged=files[0].file_path, added=files[0])


def unstage(catalogue: LakeCatalogue, part: Part) -> None:
    """Delete the file of a part. Idempotent."""
    with catalogue.translated(part.table), suppress(FileNotFoundError):
        catalogue.files.delete(part.staged)


def read_staged(catalogue: LakeCatalogue, table: Table, part: Part) -> Part:
    """A part with the rows of its file, which another process wrote. Its columns are known by their numbers."""
    with catalogue.translated(part.table):
        try:
            with catalogue.files.new_input(part.staged).open() as file:
                source: Any = file
                read = parquet.read_table(source)
        except FileNotFoundError as error:
            detail = f"{part.staged} with rows of a load is missing; load the table again"
            raise DatabaseFailed(kind=catalogue.kind, detail=detail, table=part.table) from error
        names = {one.field_id: one.name for one in table.schema().fields}
        numbers = [_number(one) for one in read.schema]
        kept = read.select([place for place, one in enumerate(numbers) if one in names])
        known = kept.rename_columns([names[one] for one in numbers if one in names])
        return part.with_rows(known.cast(plain(known.schema)))


def _number(column: "pa.Field[Any]") -> int:
    metadata: Any = column.metadata
    return int(metadata[b"PARQUET:field_id"])
