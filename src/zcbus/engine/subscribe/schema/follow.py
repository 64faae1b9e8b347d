"""Carrying a change of a source table's structure over to its target."""

from collections.abc import Mapping
from dataclasses import replace

from zcbus.connectors.alteration import AddedColumn, Alteration
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.engine.reasons import KEY_CHANGED, SCHEMA_NOT_FOLLOWED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.engine.subscribe.schema.mapping import columns_of
from zcbus.engine.subscribe.table import SyncRun, map_checkpoint
from zcbus.model.evolution import Problem, StructureChange, compare, value_in_old_rows
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind


def follow(
    session: TargetSession,
    run: SyncRun,
    checkpoint: TableCheckpoint,
    known: TableSchema,
    schema: TableSchema,
    key: tuple[str, ...],
    *,
    approved: bool = False,
) -> TableCheckpoint:
    """Alter the target table; returns the checkpoint that then holds. Right to repeat after a crash in between.
    `approved`: an operator says that a rewrite changed no values.

    Raises TableStopped where the target's rows would not be the source's afterwards, or the key changed.
    """
    change = compare(known, schema, spec_of(schema.dialect).capabilities.fills_not_null)
    renamed = dict(change.renamed)
    new_key = tuple(renamed.get(name, name) for name in checkpoint.key)
    if set(new_key) != set(key):
        raise TableStopped(KEY_CHANGED, table=schema.name, before=", ".join(checkpoint.key), after=", ".join(key))
    _check(run, known, schema, change, approved)
    left_out = set(known.names) - {name for name, _ in checkpoint.columns}
    ignored = {after.name for before, after in change.kept if before.name in left_out}
    after = replace(
        checkpoint, columns=tuple(pair for pair in columns_of(schema) if pair[0] not in ignored), key=new_key
    )
    old, new = (
        map_checkpoint(run, checkpoint, known, checkpoint.key).table,
        map_checkpoint(run, after, schema, new_key).table,
    )
    alteration = _alteration(change, known, schema, old, new, may_drop=checkpoint.created)
    if checkpoint.created:
        alteration = with_indexes(alteration, old, new, _in_target(change, old, new))
    if not alteration.is_empty:
        session.alter_table(new, alteration)
    return after


def with_indexes(alteration: Alteration, old: TargetTable, new: TargetTable, renamed: Mapping[str, str]) -> Alteration:
    """The same with what became of the indexes of a table that we made. `renamed`: its columns' names, old to new."""
    before = {index.name: index.renamed(renamed) for index in old.indexes}
    after = {index.name: index for index in new.indexes}
    moved = {
        index.name: other.name
        for index in before.values()
        for other in after.values()
        if index.name not in after and other.name not in before and replace(index, name=other.name) == other
    }
    gone = before.keys() - after.keys() - moved.keys()
    # What is declared anew may fit into an index otherwise than before.
    redefined = {column.target for column in alteration.redefine if column.type.kind in (Kind.TEXT, Kind.BINARY)}
    stale = {name for name, index in after.items() if name in before and redefined.intersection(index.columns)}
    changed = {name for name, index in after.items() if before.get(name) != index and name not in moved.values()}
    return replace(
        alteration,
        drop_indexes=tuple(sorted(gone | stale)),
        rename_indexes=tuple(sorted(moved.items())),
        indexes=tuple(after[name] for name in sorted(changed | stale)),
    )


def _in_target(change: StructureChange, old: TargetTable, new: TargetTable) -> dict[str, str]:
    had = {column.source: column.target for column in old.columns}
    has = {column.source: column.target for column in new.columns}
    pairs = ((had.get(before.name), has.get(after.name)) for before, after in change.kept)
    return {one: other for one, other in pairs if one is not None and other is not None}


def _check(run: SyncRun, known: TableSchema, schema: TableSchema, change: StructureChange, approved: bool) -> None:
    chosen = {mapping.source for mapping in run.task.columns}
    problems = [problem for problem in change.problems if not chosen or problem.column in chosen]
    if approved:
        problems = [problem for problem in problems if problem.why != "values-rewritten"]
    for before, after in change.renamed:
        if after in known.names or before in chosen:
            problems.append(Problem(after, "renamed-or-replaced", before, after))
    problems += [Problem(c.name, "chosen-column-dropped", c.name) for c in change.dropped if c.name in chosen]
    for problem in problems:
        raise TableStopped(
            SCHEMA_NOT_FOLLOWED,
            table=schema.name,
            column=problem.column,
            why=problem.why,
            before=problem.before,
            after=problem.after,
        )


def _alteration(
    change: StructureChange, known: TableSchema, schema: TableSchema, old: TargetTable, new: TargetTable, may_drop: bool
) -> Alteration:
    had = {column.source: column for column in old.columns}
    has = {column.source: column for column in new.columns}
    kept = [(had[one.name], has[two.name], one, two) for one, two in change.kept if one.name in had and two.name in has]
    redefined = {column.name for column in (*change.redefined, *(after for _, after in change.retyped))}
    before_keys, after_keys = _targets(known, had, dict(change.renamed), has), _targets(schema, has, {}, has)
    if not new.key:
        before_keys = after_keys = set()
    fills = spec_of(schema.dialect).capabilities.fills_not_null
    return Alteration(
        drop_unique=tuple(sorted(before_keys - after_keys)),
        drop=tuple(had[column.name].target for column in change.dropped if column.name in had and may_drop),
        rename=tuple((one.target, two) for one, two, _, _ in kept if one.target != two.target),
        redefine=tuple(two for _, two, _, column in kept if column.name in redefined),
        add=tuple(
            AddedColumn(has[column.name], value_in_old_rows(column, fills))
            for column in change.added
            if column.name in has
        ),
        add_unique=tuple(sorted(after_keys - before_keys)),
        comment=schema.comment if schema.comment != known.comment else None,
    )


def _targets(
    schema: TableSchema, columns: dict[str, MappedColumn], renamed: dict[str, str], after: dict[str, MappedColumn]
) -> set[tuple[str, ...]]:
    """The table's unique keys by the names that their columns will have in the target."""
    found = set()
    for key in schema.unique_keys:
        if all(name in columns and renamed.get(name, name) in after for name in key):
            found.add(tuple(after[renamed.get(name, name)].target for name in key))
    return found
