"""Application of a transform to loaded rows and to net changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.engine.compaction import Net, PartialUpdate
from zcbus.engine.reasons import EXPRESSION_FAILED, VALUES_NOT_SENT, ExpressionFailed, TableStopped
from zcbus.engine.transform.evaluator import Columns, EvaluationFailed
from zcbus.engine.transform.expressions import wrapped
from zcbus.engine.transform.necessary import necessary
from zcbus.engine.transform.plan import computed_columns, condition, types_of
from zcbus.engine.transform.typed import Output
from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import concat, select, take
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType
from zcbus.protocol.transforms import Transform

Booleans = npt.NDArray[np.bool_]
SOURCE_CONDITION, TARGET_CONDITION = "where", "targetWhere"


class Shape:
    """A transform bound to one schema of a table. Pure and shared: evaluates in the caller's thread."""

    def __init__(self, transform: Transform, schema: TableSchema, key: tuple[str, ...], mask_key: str) -> None:
        """Raises TableStopped if the transform does not fit the table."""
        self._source, self._key = schema, key
        self._mask_key = mask_key
        self._columns = Columns(types_of(schema))
        self._computed = computed_columns(transform, schema, key, self._columns)
        where = transform.where
        self._where = condition(where, self._columns, schema.name, SOURCE_CONDITION) if where else None
        self.necessary = necessary(where, self._columns) if where else None
        """The part of the source condition that the source itself can check."""
        self.target_where = transform.target_where
        self.schema = self._result(schema)

    def _result(self, schema: TableSchema) -> TableSchema:
        """The table as the target receives it: computed columns in their order, new ones at the end."""
        kept = tuple(self._computed[c.name].column if c.name in self._computed else c for c in schema.columns)
        new = tuple(one.column for name, one in self._computed.items() if name not in schema.names)
        fuzzy = {name for name, one in self._computed.items() if not one.one_to_one}
        unique = tuple(names for names in schema.unique_keys if not fuzzy.intersection(names))
        indexes = tuple(replace(i, unique=i.unique and not fuzzy.intersection(i.columns)) for i in schema.indexes)
        return replace(schema, columns=kept + new, unique_keys=unique, indexes=indexes)

    @property
    def computed(self) -> frozenset[str]:
        """Names of the computed columns."""
        return frozenset(self._computed)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """Columns that the source does not have."""
        return tuple(name for name in self._computed if name not in self._source.names)

    def inputs(self, names: Iterable[str]) -> list[str]:
        """Source columns that these columns of the result need."""
        needed = set(self._where[1]) if self._where else set()
        for name in names:
            needed.update(self.made_of(name))
        return [name for name in self._source.names if name in needed]

    def made_of(self, name: str) -> tuple[str, ...]:
        """Source columns that a column of the result uses."""
        return self._computed[name].inputs if name in self._computed else (name,)

    def keeps(self, rows: pa.RecordBatch) -> Booleans | None:
        """Mask of the complete source rows that fulfil the source condition; None: all. As all evaluations, raises
        ExpressionFailed if an expression fails for a row, TableStopped if it fails for every row."""
        if self._where is None:
            return None
        expression, names = self._where
        return self._true(self._columns, rows, names, wrapped(expression.text))

    def shaped(self, rows: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
        """Columns `names` of the result from source rows."""
        requested = [self._computed[name] for name in names if name in self._computed]
        if not requested:
            return select(rows, names)
        inputs = tuple(dict.fromkeys(name for one in requested for name in one.inputs))
        computed = self._evaluate(self._columns, rows, inputs, [one.output for one in requested])
        arrays = [(computed if name in self._computed else rows).column(name) for name in names]
        return pa.RecordBatch.from_arrays(arrays, names=list(names))

    def partial(self, rows: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
        """As `shaped`, for rows that lack columns: a column computed only from these is left out as well.

        Raises TableStopped if a column needs both present and missing columns.
        """
        present = set(rows.schema.names)
        possible = []
        for name in names:
            inputs = self.made_of(name)
            if present.issuperset(inputs):
                possible.append(name)
            elif present.intersection(inputs):
                raise self.not_sent(set(inputs) - present)
        return self.shaped(rows, possible)

    def target_keeps(self, rows: pa.RecordBatch, targets: dict[str, str]) -> Booleans | None:
        """Mask of the rows of the result that fulfil the target condition. `targets`: target names by name in
        `rows`."""
        if not self.target_where:
            return None
        columns, renamed = self._target_columns(targets), rows.rename_columns([targets[n] for n in rows.schema.names])
        expression, names = condition(self.target_where, columns, self._source.name, TARGET_CONDITION)
        return self._true(columns, renamed, names, wrapped(expression.text))

    def check_target(self, targets: dict[str, str]) -> None:
        """Raise TableStopped if the target condition does not fit these columns."""
        if self.target_where:
            condition(self.target_where, self._target_columns(targets), self._source.name, TARGET_CONDITION)

    @property
    def has_condition(self) -> bool:
        return self._where is not None or bool(self.target_where)

    def check_key(self, failed: Mapping[str, str]) -> None:
        """Raise TableStopped if a key column failed: the row can be neither identified nor skipped."""
        for name in self._key:
            if name in failed:
                raise TableStopped(EXPRESSION_FAILED, table=self._source.name, detail=failed[name])

    def not_sent(self, columns: Iterable[str]) -> TableStopped:
        """The error for values that the source did not send."""
        return TableStopped(VALUES_NOT_SENT, table=self._source.name, columns=", ".join(sorted(columns)))

    def _target_columns(self, targets: dict[str, str]) -> Columns:
        types: dict[str, DataType] = types_of(self.schema)
        return Columns({target: types[name] for name, target in targets.items()})

    def _true(self, columns: Columns, rows: pa.RecordBatch, names: tuple[str, ...], sql: str) -> Booleans:
        output = Output("kept", f"coalesce({sql}, false)")
        kept = self._evaluate(columns, rows, names, [output]).column(0)
        return np.asarray(kept).astype(np.bool_)

    def _evaluate(
        self, columns: Columns, rows: pa.RecordBatch, names: tuple[str, ...], outputs: list[Output]
    ) -> pa.RecordBatch:
        try:
            return columns.evaluate(rows, names, outputs, self._mask_key)
        except EvaluationFailed as failed:
            if failed.always:
                raise TableStopped(EXPRESSION_FAILED, table=self._source.name, detail=failed.detail) from failed
            raise ExpressionFailed(table=self._source.name, detail=failed.detail) from failed


@dataclass(frozen=True, slots=True)
class Possible:
    """Columns of one row that have a value, and why other columns or conditions failed."""

    values: dict[str, ArrowArray]
    failed: dict[str, str]

    def note(self, name: str, value: Callable[[], ArrowArray]) -> None:
        """Evaluate a column."""
        self.check(name, lambda: self.values.update({name: value()}))

    def check(self, name: str, evaluate: Callable[[], object]) -> None:
        """Evaluate a condition or a column, and record its failure."""
        try:
            evaluate()
        except ExpressionFailed as failed:
            self.failed[name] = str(failed.facts["detail"])

    def row(self) -> pa.RecordBatch:
        """The columns that have a value."""
        return pa.RecordBatch.from_arrays(list(self.values.values()), names=list(self.values))


class Shaping:
    """A shape bound to the columns of one target table."""

    def __init__(self, shape: Shape, targets: dict[str, str]) -> None:
        """`targets`: the target's columns by their names in the result, key columns among them."""
        self._shape, self._targets = shape, targets
        self._names = list(targets)
        self.inputs = shape.inputs(targets)
        self.necessary = shape.necessary
        self.computed = shape.computed.intersection(targets)

    def rows(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Complete source rows as the target receives them, without those that a condition excludes. Raises
        ExpressionFailed."""
        return self._split(rows)[0]

    def net(self, net: Net) -> Net:
        """Net changes as the target receives them. Rows that a condition excludes are deleted if it may have included
        them before. Raises ExpressionFailed."""
        if net.updates and self._shape.has_condition:
            raise self._shape.not_sent(set(self.inputs) - set(net.updates[0].rows.schema.names))
        key = net.deletes.schema.names
        upserts, left_out = self._split(net.upserts, net.existing)
        deleted = [self.keys(net.deletes), self.keys(select(left_out, key))]
        updates = tuple(
            PartialUpdate(self.keys(one.keys), self._shape.partial(one.rows, self._names)) for one in net.updates
        )
        deletes = concat([batch.cast(deleted[0].schema) for batch in deleted])
        filtered = net.upserts.num_rows - upserts.num_rows
        return Net(deletes, updates, upserts, moves=net.moves, filtered=filtered)

    def _split(self, rows: pa.RecordBatch, known: Booleans | None = None) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """(rows of the result, excluded source rows that the target may have)."""
        kept = self._shape.keeps(rows)
        source = rows if kept is None else take(rows, np.flatnonzero(kept))
        shaped = self._shape.shaped(source, self._names)
        later = self._shape.target_keeps(shaped, self._targets)
        if later is not None:
            shaped = take(shaped, np.flatnonzero(later))
            kept = _both(kept, later, rows.num_rows)
        if kept is None:
            return shaped, rows.slice(0, 0)
        out = ~kept if known is None else ~kept & known
        return shaped, take(rows, np.flatnonzero(out))

    def keys(self, keys: pa.RecordBatch) -> pa.RecordBatch:
        """Keys of source rows as the target has them. Raises TableStopped if a key cannot be computed."""
        try:
            return self._shape.shaped(keys, keys.schema.names)
        except ExpressionFailed as failed:
            raise TableStopped(EXPRESSION_FAILED, **failed.facts) from failed

    def possible(self, row: pa.RecordBatch) -> Possible:
        """The computable columns of a source row, complete or not, for which an expression or a condition fails. Raises
        TableStopped if the key fails."""
        possible = Possible({}, {})
        present = set(row.schema.names)
        for name in self._names:
            if present.issuperset(self._shape.made_of(name)):
                possible.note(name, partial(self._column, row, name))
        self._shape.check_key(possible.failed)
        if present.issuperset(self._shape.inputs(())):
            possible.check(SOURCE_CONDITION, partial(self._shape.keeps, row))
        if not possible.failed and len(possible.values) == len(self._names):
            possible.check(TARGET_CONDITION, partial(self._shape.target_keeps, possible.row(), self._targets))
        return possible

    def filled(self, row: pa.RecordBatch) -> pa.RecordBatch | None:
        """Compute the missing columns of a row of the result from its unchanged source columns. Empty if a condition
        excludes the row; None: an input is missing. Raises ExpressionFailed."""
        present = row.schema.names
        missing = [name for name in self._names if name in self.computed and name not in present]
        if not (set(present) - self.computed).issuperset(self._shape.inputs(missing)):
            return None
        columns = [self._column(row, name) if name in missing else row.column(name) for name in (*present, *missing)]
        complete = pa.RecordBatch.from_arrays(columns, names=[*present, *missing])
        later = self._shape.target_keeps(complete, self._targets) if complete.num_columns == len(self._names) else None
        kept = [one for one in (self._shape.keeps(row), later) if one is not None]
        return complete if all(one.all() for one in kept) else complete.slice(0, 0)

    def _column(self, row: pa.RecordBatch, name: str) -> ArrowArray:
        return self._shape.shaped(row, [name]).column(0)


def _both(first: Booleans | None, second: Booleans, count: int) -> Booleans:
    """Both masks as one; `second` covers only the rows that `first` includes."""
    kept = np.ones(count, np.bool_) if first is None else first.copy()
    kept[np.flatnonzero(kept)] = second
    return kept


@lru_cache(maxsize=256)
def shape_of(transform: Transform, schema: TableSchema, key: tuple[str, ...], mask_key: str) -> Shape:
    """The shape of a table under a transform that changes rows. Raises TableStopped."""
    return Shape(transform, schema, key, mask_key)
