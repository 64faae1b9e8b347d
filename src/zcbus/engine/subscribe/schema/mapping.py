"""Mapping of a source table to its target, effects of a schema change on it, and exactness of keys."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import KEY_CHANGED, KEY_NOT_MAPPED, SCHEMA_CHANGED, TARGET_KEY_INEXACT, TableStopped
from zcbus.model.batches import select
from zcbus.model.origin import Origin
from zcbus.model.schema import Index, TableName, TableSchema
from zcbus.model.states import DdlMode
from zcbus.protocol.tasks import SubscribedTable

if TYPE_CHECKING:
    from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
    from zcbus.engine.subscribe.table import SyncRun
    from zcbus.engine.transform.shapes import Shapes
    from zcbus.engine.transform.shaping import Shaping

Columns = tuple[tuple[str, str], ...]


def columns_of(schema: TableSchema) -> Columns:
    """Names and native types, as a checkpoint stores them."""
    return tuple((column.name, column.type.native) for column in schema.columns)


@dataclass(frozen=True, slots=True)
class Mapped:
    """Mapping of rows of one schema: target table, and transform (None: no transform)."""

    table: TargetTable
    shaping: "Shaping | None"

    @property
    def inputs(self) -> list[str]:
        """Source columns that the target needs."""
        return self.shaping.inputs if self.shaping is not None else [column.source for column in self.table.columns]

    def rows(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Source rows as the target receives them. Raises ExpressionFailed."""
        inputs = select(rows, self.inputs)
        return inputs if self.shaping is None else self.shaping.rows(inputs)

    @property
    def necessary(self) -> Condition | None:
        """Condition on source rows that every row of the target fulfils; None: nothing that a source could check."""
        return self.shaping.necessary if self.shaping is not None else None

    def coming_through(self, origin: Origin) -> "Mapped":
        """The same mapping for rows of that origin."""
        return self if origin == self.table.origin else replace(self, table=replace(self.table, origin=origin))


def map_table(
    task: SubscribedTable,
    schema: TableSchema,
    key: tuple[str, ...],
    shapes: "Shapes",
    only: Columns = (),
    spelled: Columns = (),
) -> Mapped:
    """Map a source schema to its target table. `only`: no other source columns than these. `spelled`: the target's
    spelling of names (see TableCheckpoint).

    Raises TableStopped if a key column is not mapped, or if the transform does not fit the table.
    """
    shape = shapes.shape(task.transform, schema, key)
    result = shape.schema if shape is not None else schema
    new = shape.new_columns if shape is not None else ()
    spelling = dict(spelled)
    desired = target_names(task, schema) | {name: name for name in new}
    names = {source: spelling.get(target, target) for source, target in desired.items()}
    allowed = {name for name, _ in only} or set(schema.names)
    columns = tuple(
        MappedColumn(column.name, names[column.name], column.type, column.nullable and column.name not in key)
        for column in result.columns
        if column.name in names and (column.name in allowed or column.name in new)
    )
    mapped = {column.source: column.target for column in columns}
    missing = [name for name in key if name not in mapped]
    if missing or not (key or task.append_only):
        raise TableStopped(KEY_NOT_MAPPED, table=schema.name, columns=", ".join(missing))
    if not key:
        result = _without_keys(result)
    name = TableName(task.target.schema_name, task.target.table)
    indexes = carried_indexes(result, mapped) if task.indexes else ()
    table = TargetTable(name, columns, tuple(mapped[column] for column in key), result, indexes)
    return Mapped(table, shapes.shaping(shape, mapped))


def map_checkpoint(run: "SyncRun", checkpoint: "TableCheckpoint", schema: TableSchema, key: tuple[str, ...]) -> Mapped:
    """Mapping of a table's rows in its checkpoint. Raises TableStopped."""
    mapped = map_table(run.task, schema, key, run.shapes, checkpoint.columns, checkpoint.spelled)
    return mapped.coming_through((checkpoint.place,) if checkpoint.place else ())


def _without_keys(schema: TableSchema) -> TableSchema:
    """The schema without unique keys: where updates and deletes are not applied, rows can be duplicates."""
    indexes = tuple(replace(index, unique=False) for index in schema.indexes)
    return replace(schema, primary_key=(), unique_keys=(), indexes=indexes)


def carried_indexes(schema: TableSchema, mapped: Mapping[str, str]) -> tuple[Index, ...]:
    """Indexes whose columns are all mapped, by the target's names."""
    return tuple(index.renamed(mapped) for index in schema.indexes if mapped.keys() >= set(index.columns))


def target_names(task: SubscribedTable, schema: TableSchema) -> dict[str, str]:
    """Target name of each mapped source column."""
    if task.columns:
        return {mapping.source: mapping.target for mapping in task.columns}
    return {name: task.transform.names.apply(name) for name in schema.names}


def spelled_by(table: TargetTable, existing: TableSchema | None, exact: bool) -> Columns:
    """Names that the existing target spells in another case: the desired and the existing spelling."""
    if existing is None or exact:
        return ()
    existing_names = {name.lower(): name for name in existing.names}
    desired = [column.target for column in table.columns if column.target not in existing.names]
    return tuple((name, existing_names[name.lower()]) for name in desired if name.lower() in existing_names)


@dataclass(frozen=True, slots=True)
class Evolution:
    """Effect of a new schema on the target table."""

    added: tuple[str, ...]
    """Source columns to add to the target table."""
    columns: Columns
    """Columns to store in the checkpoint."""


def evolve(
    task: SubscribedTable, known: Columns, key: tuple[str, ...], schema: TableSchema, new_key: tuple[str, ...]
) -> Evolution:
    """Effect of a changed schema. Raises TableStopped if the table may not follow it."""
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
            before=_type_list(known),
            after=_type_list(columns_of(schema)),
        )
    kept = known + tuple((name, after[name]) for name in added)
    return Evolution(() if mapped else added, kept)


def _type_list(columns: Columns) -> str:
    return ", ".join(f"{name} {native}" for name, native in columns)


def require_exact_keys(session: TargetSession, table: TargetTable) -> None:
    """Raise TableStopped if the target compares keys less exactly than the source."""
    for found in session.inexact_keys(table):
        raise TableStopped(
            TARGET_KEY_INEXACT,
            table=table.source_schema.name,
            target=table.name,
            column=found.column,
            collation=found.collation,
            statement=found.remedy,
        )
