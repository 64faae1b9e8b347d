"""Which columns of a source table go where, and what a change of its structure means."""

from dataclasses import dataclass

from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.engine.reasons import KEY_CHANGED, KEY_NOT_MAPPED, SCHEMA_CHANGED, TableStopped
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import DdlMode
from zcbus.protocol.tasks import SubscribedTable

Columns = tuple[tuple[str, str], ...]


def columns_of(schema: TableSchema) -> Columns:
    """Names and native types, as a lane remembers them."""
    return tuple((column.name, column.type.native) for column in schema.columns)


def target_table(task: SubscribedTable, schema: TableSchema, key: tuple[str, ...], only: Columns = ()) -> TargetTable:
    """Where rows of this schema go; `only`: no other source columns than these.

    Raises TableStopped where a key column is not taken along.
    """
    names = {mapping.source: mapping.target for mapping in task.columns} or {name: name for name in schema.names}
    allowed = {name for name, _ in only} or set(schema.names)
    columns = tuple(
        MappedColumn(column.name, names[column.name], column.type, column.nullable and column.name not in key)
        for column in schema.columns
        if column.name in names and column.name in allowed
    )
    taken = {column.source: column.target for column in columns}
    missing = [name for name in key if name not in taken]
    if missing or not key:
        raise TableStopped(KEY_NOT_MAPPED, table=schema.name, columns=", ".join(missing))
    name = TableName(task.target.schema_name, task.target.table)
    return TargetTable(name, columns, tuple(taken[column] for column in key), schema)


@dataclass(frozen=True, slots=True)
class Evolution:
    """What a new schema asks of the target table."""

    added: tuple[str, ...]
    """Source columns that the target table must get."""
    columns: Columns
    """What the lane remembers from then on."""


def evolve(
    task: SubscribedTable, known: Columns, key: tuple[str, ...], schema: TableSchema, new_key: tuple[str, ...]
) -> Evolution:
    """What to do about a schema that is not the known one. Raises TableStopped where the table may not follow it."""
    if set(key) != set(new_key):
        raise TableStopped(KEY_CHANGED, table=schema.name, before=", ".join(key), after=", ".join(new_key))
    before, after = dict(known), dict(columns_of(schema))
    mapped = {mapping.source for mapping in task.columns}
    added = tuple(name for name in after if name not in before)
    removed = tuple(name for name in before if name not in after)
    changed = tuple(name for name in before if name in after and before[name] != after[name])
    if task.ddl is DdlMode.IGNORE:
        return Evolution((), known)
    if changed or (task.ddl is DdlMode.STOP and (added or removed)):
        raise TableStopped(
            SCHEMA_CHANGED,
            table=schema.name,
            added=", ".join(added),
            removed=", ".join(removed),
            changed=", ".join(changed),
            before=_words(known),
            after=_words(columns_of(schema)),
        )
    kept = known + tuple((name, after[name]) for name in added)
    return Evolution(() if mapped else added, kept)


def _words(columns: Columns) -> str:
    return ", ".join(f"{name} {native}" for name, native in columns)
