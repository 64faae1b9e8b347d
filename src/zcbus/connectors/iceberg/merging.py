"""Parts of a transaction, each merged into its table by one commit, by rewriting the files that have rows of it."""

from typing import Any

import pyarrow as pa
import pyiceberg.expressions
from pyiceberg.expressions import AlwaysTrue, And, BooleanExpression
from pyiceberg.manifest import DataFile
from pyiceberg.table import Table, Transaction

from zcbus.connectors.iceberg.catalogue import LakeCatalogue
from zcbus.connectors.iceberg.committing import read, replace_files, written
from zcbus.connectors.iceberg.staging import read_staged, unstage
from zcbus.connectors.iceberg.types import TYPES, plain
from zcbus.connectors.lakes.parts import GONE, Part, key_columns, put_rows, whole, without_keys
from zcbus.model.kernels import compute

PART = "zcbus.part"
"""Property of a table: whose part it has, and the part's number."""
_NAMED = 200
"""Values that the library compares with a file's; of more, their range is."""


def merge(catalogue: LakeCatalogue, part: Part, application: str, number: int) -> bool:
    """Apply a part to its table unless it was applied before. Returns whether files were rewritten. Raises
    ConcurrentCommit."""
    table = catalogue.open(part.table)
    if table is None or _applied(table, application) >= number:
        return False  # a table that was dropped later has no rows to change
    whole_part = part if part.added is not None or not part.staged else read_staged(catalogue, table, part)
    rows = whole_part.rows
    key = key_columns(rows)
    with catalogue.translated(part.table):
        there = plain(table.schema().as_arrow())
        is_taken = part.added is not None and {*there.names, GONE} == set(rows.schema.names)
        gone: list[DataFile] = []
        with table.transaction() as transaction:
            transaction.set_properties({PART: f"{application}/{number}"})
            added: list[DataFile] = []
            for task in table.scan(row_filter=near(key[0], rows.column(key[0]))).plan_files():
                before = read(table, task)
                kept = without_keys(before, rows, key)
                if len(kept) < len(before):
                    gone.append(task.file)
                    added += written(transaction, table, kept)
            added += [part.added] if is_taken else _put(transaction, table, rows, there)
            replace_files(transaction, table, gone, added)
    if part.staged and not is_taken:
        unstage(catalogue, part)
    return bool(gone)


def _put(transaction: Transaction, table: Table, rows: pa.Table, there: pa.Schema) -> list[DataFile]:
    put = put_rows(rows)
    known = put.select([name for name in put.schema.names if name in there.names])
    return written(transaction, table, whole(TYPES, known, there))


def near(column: str, values: Any) -> BooleanExpression:
    """A condition that holds for all rows with these typed values of a column, and for few others. The library knows by
    it which files need not be read."""
    conditions: Any = pyiceberg.expressions
    if not len(values) or (pa.types.is_floating(values.type) and _has_odd_numbers(values)):
        return AlwaysTrue()
    first = values.slice(0, _NAMED + 1)
    if compute.count_distinct(first).as_py() <= _NAMED and compute.count_distinct(values).as_py() <= _NAMED:
        named: BooleanExpression = conditions.In(column, compute.unique(values).to_pylist())
        return named
    ends = compute.min_max(values).as_py()
    return And(conditions.GreaterThanOrEqual(column, ends["min"]), conditions.LessThanOrEqual(column, ends["max"]))


def _has_odd_numbers(values: Any) -> bool:
    """NaN, or a zero, which has two forms."""
    return bool(compute.any(compute.or_(compute.is_nan(values), compute.equal(values, 0.0))).as_py())


def _applied(table: Table, application: str) -> int:
    """Number of the last part that a table has."""
    owner, _, number = table.properties.get(PART, "").rpartition("/")
    return int(number) if owner == application else 0
