"""Checks of one planned table: its columns, its key, and the target table that is there already."""

from collections.abc import Iterator

from zcbus.engine import reasons
from zcbus.engine.requests.findings import error, info, warning
from zcbus.model.schema import Column, TableSchema
from zcbus.model.states import CleanMode, LoadMode
from zcbus.model.types import Kind
from zcbus.protocol.requests import Finding, PlannedTable

_REBUILT = (CleanMode.DROP,)
_EMPTIED = (CleanMode.DROP, CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE)


def check_columns(table: PlannedTable, schema: TableSchema, key: tuple[str, ...]) -> Iterator[Finding]:
    """Mapped columns exist, key columns exist, are taken along and identify rows, types can be carried."""
    taken = [source for source, _ in table.columns] or list(schema.names)
    for name in taken:
        if name not in schema.names:
            yield error(reasons.COLUMN_UNKNOWN, table=schema.name, column=name)
    yield from _check_key(schema, key, taken)
    for column in schema.columns:
        if column.name in taken and column.type.kind is Kind.UNSUPPORTED:
            yield _unsupported(schema, column)


def _unsupported(schema: TableSchema, column: Column) -> Finding:
    return error(
        reasons.COLUMN_UNSUPPORTED,
        table=schema.name,
        column=column.name,
        type=column.type.native,
        reason=column.type.reason,
    )


def _check_key(schema: TableSchema, key: tuple[str, ...], taken: list[str]) -> Iterator[Finding]:
    if not key:
        yield error(reasons.TABLE_WITHOUT_KEY, table=schema.name)
    for name in key:
        if name not in schema.names:
            yield error(reasons.KEY_UNKNOWN, table=schema.name, column=name)
        elif schema.column(name).nullable:
            yield warning(reasons.KEY_NULLABLE, table=schema.name, column=name)
    left_out = [name for name in key if name in schema.names and name not in taken]
    if left_out:
        yield error(reasons.KEY_NOT_MAPPED, table=schema.name, columns=", ".join(left_out))


def check_existing_target(
    table: PlannedTable,
    schema: TableSchema,
    key: tuple[str, ...],
    existing: TableSchema,
    clean: CleanMode,
    load: LoadMode,
) -> list[Finding]:
    """What becomes of a target table that is there already."""
    if load is not LoadMode.INCREMENTAL and clean in _EMPTIED:
        cleaned = warning(reasons.TARGET_WILL_BE_CLEANED, table=schema.name, target=existing.name, clean=clean.value)
        return [cleaned] if clean in _REBUILT else [cleaned, *_check_fit(table, schema, key, existing)]
    merged = info(reasons.TARGET_EXISTS, table=schema.name, target=existing.name)
    return [merged, *_check_fit(table, schema, key, existing)]


def _check_fit(
    table: PlannedTable, schema: TableSchema, key: tuple[str, ...], existing: TableSchema
) -> Iterator[Finding]:
    """Columns are matched by name, ignoring case as the default of the column-case option says."""
    targets = dict(table.columns) or {name: name for name in schema.names}
    there = {column.name.lower(): column for column in existing.columns}
    filled = {target.lower() for target in targets.values()}
    for target in targets.values():
        if target.lower() not in there:
            yield error(reasons.TARGET_COLUMN_MISSING, table=schema.name, target=existing.name, column=target)
    for column in existing.columns:
        demanded = not column.nullable and column.default is None and not column.identity and not column.generated
        if demanded and column.name.lower() not in filled:
            yield error(reasons.TARGET_COLUMN_REQUIRED, table=schema.name, target=existing.name, column=column.name)
    expected = {targets.get(name, name).lower() for name in key}
    found = {name.lower() for name in existing.key()}
    if found and expected and found != expected:
        yield warning(
            reasons.TARGET_KEY_DIFFERS,
            table=schema.name,
            target=existing.name,
            expected=", ".join(sorted(expected)),
            found=", ".join(sorted(found)),
        )
