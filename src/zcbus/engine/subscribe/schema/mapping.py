"""Which columns of a source table go where, what a change of its structure means, and whether keys stay exact."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.engine.batches import select
from zcbus.engine.reasons import KEY_CHANGED, KEY_NOT_MAPPED, SCHEMA_CHANGED, TableStopped
from zcbus.model.origin import Origin
from zcbus.model.schema import Index, TableName, TableSchema
from zcbus.model.states import DdlMode
from zcbus.protocol.tasks import SubscribedTable

if TYPE_CHECKING:
    from zcbus.engine.transform.shaping import Shape, Shaping
from zcbus.connectors.roles import TargetSession
from zcbus.engine.reasons import TARGET_KEY_INEXACT

Columns = tuple[tuple[str, str], ...]


def columns_of(schema: TableSchema) -> Columns:
    """Names and native types, as a checkpoint remembers them."""
    return tuple((column.name, column.type.native) for column in schema.columns)


@dataclass(frozen=True, slots=True)
class Mapped:
    """Where the rows of one structure of a table go, and what is done to them on the way; None: nothing."""

    table: TargetTable
    shaping: "Shaping | None"

    @property
    def inputs(self) -> list[str]:
        """The source columns that are needed."""
        return self.shaping.inputs if self.shaping is not None else [column.source for column in self.table.columns]

    def rows(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Source rows as the target gets them. Raises ExpressionFailed."""
        taken = select(rows, self.inputs)
        return taken if self.shaping is None else self.shaping.rows(taken)

    @property
    def necessary(self) -> Condition | None:
        """What is true of every row that the target gets; None: nothing that a source could check."""
        return self.shaping.necessary if self.shaping is not None else None

    def coming_through(self, origin: Origin) -> "Mapped":
        """The same for rows of that origin."""
        return self if origin == self.table.origin else replace(self, table=replace(self.table, origin=origin))


def map_table(
    task: SubscribedTable,
    schema: TableSchema,
    key: tuple[str, ...],
    only: Columns = (),
    spelled: Columns = (),
    mask_key: str = "",
) -> Mapped:
    """Where rows of this schema go; `only`: no other source columns than these; `spelled`: how the target spells
    names (see TableCheckpoint).

    Raises TableStopped where a key column is not taken along, or the transform does not fit the table.
    """
    shape = _shape(task, schema, key, mask_key)
    result = shape.schema if shape is not None else schema
    new = shape.new_columns if shape is not None else ()
    spelling = dict(spelled)
    wanted = target_names(task, schema) | {name: name for name in new}
    names = {source: spelling.get(target, target) for source, target in wanted.items()}
    allowed = {name for name, _ in only} or set(schema.names)
    columns = tuple(
        MappedColumn(column.name, names[column.name], column.type, column.nullable and column.name not in key)
        for column in result.columns
        if column.name in names and (column.name in allowed or column.name in new)
    )
    taken = {column.source: column.target for column in columns}
    missing = [name for name in key if name not in taken]
    if missing or not (key or task.append_only):
        raise TableStopped(KEY_NOT_MAPPED, table=schema.name, columns=", ".join(missing))
    if not key:
        result = _without_keys(result)
    name = TableName(task.target.schema_name, task.target.table)
    indexes = carried_indexes(result, taken) if task.indexes else ()
    table = TargetTable(name, columns, tuple(taken[column] for column in key), result, indexes)
    return Mapped(table, _shaping(shape, taken))


def _without_keys(schema: TableSchema) -> TableSchema:
    """What was unique in the source need not be where updates and deletes are not applied."""
    indexes = tuple(replace(index, unique=False) for index in schema.indexes)
    return replace(schema, primary_key=(), unique_keys=(), indexes=indexes)


def carried_indexes(schema: TableSchema, taken: Mapping[str, str]) -> tuple[Index, ...]:
    """Indexes whose columns are all taken along, by the target's names."""
    return tuple(index.renamed(taken) for index in schema.indexes if taken.keys() >= set(index.columns))


def target_names(task: SubscribedTable, schema: TableSchema) -> dict[str, str]:
    """Target name of each source column that is taken along."""
    if task.columns:
        return {mapping.source: mapping.target for mapping in task.columns}
    return {name: task.transform.names.apply(name) for name in schema.names}


def spelled_by(table: TargetTable, existing: TableSchema | None, exact: bool) -> Columns:
    """Names wanted in the target, and how the existing table spells them where they differ only by case."""
    if existing is None or exact:
        return ()
    there = {name.lower(): name for name in existing.names}
    wanted = [column.target for column in table.columns if column.target not in existing.names]
    return tuple((name, there[name.lower()]) for name in wanted if name.lower() in there)


def _shape(task: SubscribedTable, schema: TableSchema, key: tuple[str, ...], mask_key: str) -> "Shape | None":
    if not task.transform.changes_rows:
        return None
    # The library that evaluates is large; most workers never need it.
    from zcbus.engine.transform.shaping import shape_of

    return shape_of(task.transform, schema, key, mask_key)


def _shaping(shape: "Shape | None", targets: dict[str, str]) -> "Shaping | None":
    if shape is None:
        return None
    from zcbus.engine.transform.shaping import Shaping

    shape.check_target(targets)
    return Shaping(shape, targets)


@dataclass(frozen=True, slots=True)
class Evolution:
    """What a new schema asks of the target table."""

    added: tuple[str, ...]
    """Source columns that the target table must get."""
    columns: Columns
    """What the checkpoint remembers from then on."""


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


def require_exact_keys(session: TargetSession, table: TargetTable) -> None:
    """Raise TableStopped where the target compares keys less exactly than the source."""
    for found in session.inexact_keys(table):
        raise TableStopped(
            TARGET_KEY_INEXACT,
            table=table.source_schema.name,
            target=table.name,
            column=found.column,
            collation=found.collation,
            statement=found.remedy,
        )
