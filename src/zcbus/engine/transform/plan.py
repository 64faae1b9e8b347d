"""Plan of a transform: the computed columns of a table. Refuses transforms that cannot be right."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zcbus.engine.reasons import EXPRESSION_INVALID, MASK_NOT_POSSIBLE, TRANSFORM_CHANGES_KEY, TableStopped
from zcbus.engine.transform.expressions import Expression, ExpressionRefused, parse, wrapped
from zcbus.engine.transform.typed import Output, TypeUnknown, canonical, declared, inferred, text_type
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, Transform

if TYPE_CHECKING:
    from zcbus.engine.transform.evaluator import Columns

HASH_LENGTH = 64
_MASKED = "*"


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed column of the result."""

    column: Column
    inputs: tuple[str, ...]
    """Source columns that it uses."""
    output: Output
    one_to_one: bool = False
    """Different values stay different, so a key column may be computed in this way."""


def computed_columns(
    transform: Transform, schema: TableSchema, key: tuple[str, ...], columns: "Columns"
) -> dict[str, Computed]:
    """Computed columns by name. `columns`: of the schema. Raises TableStopped for the first invalid one."""
    found: dict[str, Computed] = {}
    for one in [*_expressions(transform, schema, columns), *_masks(transform, schema)]:
        name = one.column.name
        if name in found:
            raise _invalid(schema, name, "", "the column is computed twice")
        if name in key and not one.one_to_one:
            raise TableStopped(TRANSFORM_CHANGES_KEY, table=schema.name, column=name)
        found[name] = one
    return found


def condition(text: str, columns: "Columns", table: object, column: str) -> tuple[Expression, tuple[str, ...]]:
    """A condition and the columns it uses. `column`: its name in an error. Raises TableStopped."""
    try:
        expression = parse(text)
        names = columns.resolve(expression.columns)
        kind = columns.result_type(expression)
        if kind != "BOOLEAN":
            raise ExpressionRefused(f"a condition is true or false, not {kind}")
    except ExpressionRefused as refused:
        raise TableStopped(
            EXPRESSION_INVALID, table=table, column=column, expression=text, detail=refused.problem
        ) from refused
    return expression, names


def types_of(schema: TableSchema) -> dict[str, DataType]:
    """Types by column name."""
    return {column.name: column.type for column in schema.columns}


def _expressions(transform: Transform, schema: TableSchema, columns: "Columns") -> Iterator[Computed]:
    for requested in transform.expressions:
        try:
            yield _expression(requested, schema, columns)
        except ExpressionRefused as refused:
            raise _invalid(schema, requested.column, requested.expression, refused.problem) from refused
        except TypeUnknown as unknown:
            raise _invalid(schema, requested.column, requested.expression, f"type {unknown} is not known") from unknown


def _expression(requested: ColumnExpression, schema: TableSchema, columns: "Columns") -> Computed:
    expression = parse(requested.expression)
    kind = columns.result_type(expression)
    own = schema.column(requested.column) if requested.column in schema.names else None
    given = declared(requested.type) if requested.type else None
    data = given or (own.type if own is not None else inferred(kind))
    return Computed(
        _column(own, requested.column, data),
        columns.resolve(expression.columns),
        Output(requested.column, canonical(wrapped(requested.expression), data)),
    )


def _column(own: Column | None, name: str, data: DataType) -> Column:
    if own is None:
        return Column(name, data)
    same = own.type == data
    return replace(
        own,
        type=data,
        nullable=True,
        default=own.default if same else None,
        collation=own.collation if same else None,
        identity=False,
        generated=False,
    )


def _masks(transform: Transform, schema: TableSchema) -> Iterator[Computed]:
    for mask in transform.masks:
        if mask.column not in schema.names:
            raise _invalid(schema, mask.column, "", f"there is no column {mask.column}")
        column = schema.column(mask.column)
        if mask.method == "hash":
            yield _hash(column, schema)
        elif mask.method == "fixed":
            yield _fixed(column, mask)
        else:
            if column.type.kind is not Kind.TEXT:
                facts = {"table": schema.name, "column": mask.column, "method": mask.method}
                raise TableStopped(MASK_NOT_POSSIBLE, **facts, type=column.type.native)
            yield _partial(column, mask)


def _hash(column: Column, schema: TableSchema) -> Computed:
    """Hash with a key of the installation, which prevents finding short values by trying them all."""
    name = _identifier(column.name)
    text = f"hex({name})" if column.type.kind is Kind.BINARY else f"CAST({name} AS VARCHAR)"
    hidden = _column(column, column.name, text_type(HASH_LENGTH))
    sql = f"CASE WHEN {name} IS NOT NULL THEN sha256($mask_key || sha256($mask_key || {text})) END"
    return Computed(replace(hidden, nullable=column.nullable), (column.name,), Output(column.name, sql), True)


def _fixed(column: Column, mask: ColumnMask) -> Computed:
    name, value = _identifier(column.name), "'" + mask.value.replace("'", "''") + "'"
    value = f"from_hex({value})" if column.type.kind is Kind.BINARY else value
    sql = f"CASE WHEN {name} IS NOT NULL THEN {value} END"
    return Computed(column, (column.name,), Output(column.name, sql))


def _partial(column: Column, mask: ColumnMask) -> Computed:
    name, kept = _identifier(column.name), mask.first + mask.last
    hidden = f"left({name}, {mask.first}) || repeat('{_MASKED}', length({name}) - {kept}) || right({name}, {mask.last})"
    short = f"repeat('{_MASKED}', length({name}))"
    sql = f"CASE WHEN length({name}) > {kept} THEN {hidden} ELSE {short} END"
    return Computed(column, (column.name,), Output(column.name, sql))


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _invalid(schema: TableSchema, column: str, expression: str, detail: str) -> TableStopped:
    return TableStopped(EXPRESSION_INVALID, table=schema.name, column=column, expression=expression, detail=detail)
