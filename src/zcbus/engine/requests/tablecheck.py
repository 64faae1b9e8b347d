"""Checks of one planned table: its columns, its key, and an existing target table."""

from collections.abc import Iterator

from zcbus.connectors.roles import TargetTable
from zcbus.engine import reasons
from zcbus.engine.requests.findings import error, info, warning
from zcbus.model.schema import Column, TableSchema
from zcbus.model.states import CleanMode, LoadMode
from zcbus.model.types import Kind
from zcbus.protocol.answers import Finding
from zcbus.protocol.requests import PlannedTable

_REBUILT = (CleanMode.DROP,)
_EMPTIED = (CleanMode.DROP, CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE)


def check_columns(table: PlannedTable, schema: TableSchema, key: tuple[str, ...]) -> Iterator[Finding]:
    """Check that mapped columns exist, that the key exists, is mapped and identifies rows, and that types are
    supported."""
    mapped = [source for source, _ in table.columns] or list(schema.names)
    for name in mapped:
        if name not in schema.names:
            yield error(reasons.COLUMN_UNKNOWN, table=schema.name, column=name)
    yield from _check_append_only(schema) if table.append_only else _check_key(schema, key, mapped)
    for column in schema.columns:
        if column.name in mapped and column.type.kind is Kind.UNSUPPORTED:
            yield _unsupported(schema, column)


def _unsupported(schema: TableSchema, column: Column) -> Finding:
    return error(
        reasons.COLUMN_UNSUPPORTED,
        table=schema.name,
        column=column.name,
        type=column.type.native,
        reason=column.type.reason,
    )


def _check_append_only(schema: TableSchema) -> Iterator[Finding]:
    own = schema.key()
    if own:
        yield error(reasons.APPEND_ONLY_TABLE_HAS_KEY, table=schema.name, columns=", ".join(own))
    yield warning(reasons.APPEND_ONLY_WARNED, table=schema.name)


def _check_key(schema: TableSchema, key: tuple[str, ...], mapped: list[str]) -> Iterator[Finding]:
    if not key:
        yield error(reasons.TABLE_WITHOUT_KEY, table=schema.name)
    for name in key:
        if name not in schema.names:
            yield error(reasons.KEY_UNKNOWN, table=schema.name, column=name)
        elif schema.column(name).nullable:
            yield warning(reasons.KEY_NULLABLE, table=schema.name, column=name)
    left_out = [name for name in key if name in schema.names and name not in mapped]
    if left_out:
        yield error(reasons.KEY_NOT_MAPPED, table=schema.name, columns=", ".join(left_out))


def check_existing_target(
    table: TargetTable, exact_names: bool, existing: TableSchema, clean: CleanMode, load: LoadMode
) -> list[Finding]:
    """Findings about an existing target table."""
    source = table.source_schema.name
    if load is not LoadMode.INCREMENTAL and clean in _EMPTIED:
        cleaned = warning(reasons.TARGET_WILL_BE_CLEANED, table=source, target=existing.name, clean=clean.value)
        return [cleaned] if clean in _REBUILT else [cleaned, *_check_fit(table, exact_names, existing)]
    if table.key:
        found = info(reasons.TARGET_EXISTS, table=source, target=existing.name)
    else:
        found = warning(reasons.APPEND_ONLY_TARGET_EXISTS, table=source, target=existing.name)
    return [found, *_check_fit(table, exact_names, existing)]


def _check_fit(table: TargetTable, exact_names: bool, existing: TableSchema) -> Iterator[Finding]:
    """Match columns by name, as the column-case option says."""
    source = table.source_schema.name
    present = {_spelt(column.name, exact_names): column for column in existing.columns}
    filled = {_spelt(column.target, exact_names) for column in table.columns}
    for column in table.columns:
        if _spelt(column.target, exact_names) not in present:
            yield error(reasons.TARGET_COLUMN_MISSING, table=source, target=existing.name, column=column.target)
    for name, found in present.items():
        demanded = not found.nullable and found.default is None and not found.identity and not found.generated
        if demanded and name not in filled:
            yield error(reasons.TARGET_COLUMN_REQUIRED, table=source, target=existing.name, column=found.name)
    expected = {_spelt(name, exact_names) for name in table.key}
    own = {_spelt(name, exact_names) for name in existing.key()}
    if own and not expected:
        columns = ", ".join(sorted(own))
        yield warning(reasons.APPEND_ONLY_TARGET_KEY, table=source, target=existing.name, columns=columns)
    elif own and expected != own:
        yield warning(
            reasons.TARGET_KEY_DIFFERS,
            table=source,
            target=existing.name,
            expected=", ".join(sorted(expected)),
            found=", ".join(sorted(own)),
        )


def _spelt(name: str, exact: bool) -> str:
    return name if exact else name.lower()
