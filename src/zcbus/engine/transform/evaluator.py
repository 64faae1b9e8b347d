"""Evaluation of expressions over batches of canonical text."""

from collections.abc import Iterable, Mapping, Sequence

import duckdb
import pyarrow as pa

from zcbus.engine.transform.confinement import run_confined
from zcbus.engine.transform.expressions import Expression, ExpressionRefused, first_line, wrapped
from zcbus.engine.transform.sandbox import MAX_VALUE_LENGTH, connection, discard_connection, too_long
from zcbus.engine.transform.typed import Output, typed
from zcbus.kit.confined import Overrun
from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import plain_batch
from zcbus.model.types import DataType, Kind

_MAX_DETAIL = 500
"""Characters of the library's message, which may quote a long value."""
_NEVER = "Unimplemented type for cast"


class EvaluationFailed(Exception):
    """An expression fails for a row. `detail`: the library's message; `always`: it fails for every row."""

    def __init__(self, error: Exception) -> None:
        self.detail = first_line(error)[:_MAX_DETAIL]
        self.always = isinstance(error, duckdb.BinderException) or _NEVER in self.detail
        super().__init__(self.detail)


_OF_VALUES = (duckdb.DataError, duckdb.InvalidInputException)
"""Errors about values, which leave the library's connection usable."""


class Columns:
    """The columns that expressions may use, with their types."""

    def __init__(self, types: Mapping[str, DataType]) -> None:
        self._types = types

    def resolve(self, names: Iterable[str]) -> tuple[str, ...]:
        """Columns by exact name, else ignoring case. Raises ExpressionRefused."""
        found = dict.fromkeys(self._resolve(name) for name in names)
        if len({name.lower() for name in found}) < len(found):
            raise ExpressionRefused(f"{', '.join(found)}: these names differ only by case")
        return tuple(found)

    def type_of(self, name: str) -> DataType:
        """The type of a resolved column."""
        return self._types[name]

    def _resolve(self, name: str) -> str:
        if name in self._types:
            return name
        alike = [candidate for candidate in self._types if candidate.lower() == name.lower()]
        if len(alike) != 1:
            raise ExpressionRefused(f"there is no column {name}")
        return alike[0]

    def result_type(self, expression: Expression) -> str:
        """The library's type of the expression. Raises ExpressionRefused."""
        names = self.resolve(expression.columns)
        binary = tuple(self._types[name].kind is Kind.BINARY for name in names)
        try:
            return run_confined(_type_of, self._statement(names, [Output("value", wrapped(expression.text))]), binary)
        except Overrun as error:
            raise ExpressionRefused(str(error)) from error

    def evaluate(
        self, batch: pa.RecordBatch, names: Sequence[str], outputs: Sequence[Output], mask_key: str = ""
    ) -> pa.RecordBatch:
        """Computed columns, one row for each row of the batch. `names`: the columns that the outputs use, from
        `resolve`. Raises EvaluationFailed."""
        inputs = [batch.column(name) for name in names]
        try:
            table = _relation(inputs, batch.num_rows, self._statement(names, outputs), mask_key).to_arrow_table()
        except (duckdb.Error, MemoryError) as error:
            if not isinstance(error, _OF_VALUES):
                discard_connection()
            raise EvaluationFailed(error) from error
        finally:
            _unregister()
        computed = plain_batch(table)
        long = too_long(computed)
        if long is not None:
            raise EvaluationFailed(ValueError(f"{long}: the value is longer than {MAX_VALUE_LENGTH} bytes"))
        return computed

    def _statement(self, names: Sequence[str], outputs: Sequence[Output]) -> str:
        inputs = [f"{typed(f'c{index}', self._types[name])} AS {_quoted(name)}" for index, name in enumerate(names)]
        inner = ", ".join(inputs) or "1"
        outer = ", ".join(f"{output.sql} AS {_quoted(output.name)}" for output in outputs)
        return f"SELECT {outer} FROM (SELECT {inner} FROM zcbus_batch)"  # noqa: S608  made of checked pieces


def _relation(inputs: Sequence[ArrowArray], rows: int, sql: str, mask_key: str) -> duckdb.DuckDBPyRelation:
    # Without inputs, a column of nulls gives the number of rows.
    arrays = list(inputs) or [pa.nulls(rows)]
    numbered = pa.RecordBatch.from_arrays(arrays, names=[f"c{index}" for index in range(len(arrays))])
    connection().register("zcbus_batch", numbered)
    return connection().sql(sql, params={"mask_key": mask_key} if "$mask_key" in sql else None)


def _type_of(statement: str, binary: tuple[bool, ...]) -> str:
    """The library's type of a statement's only column. `binary`: which inputs are bytes."""
    nothing = [pa.nulls(0, pa.binary() if one else pa.string()) for one in binary]
    try:
        return str(_relation(nothing, 0, statement, "").types[0])
    except (duckdb.Error, MemoryError) as error:
        raise ExpressionRefused(first_line(error)) from error
    finally:
        _unregister()


def _unregister() -> None:
    connection().unregister("zcbus_batch")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
