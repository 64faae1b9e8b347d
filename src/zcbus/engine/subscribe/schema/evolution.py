"""Schema evolution: applies a source table's schema changes to its target."""

from collections.abc import Mapping
from dataclasses import replace

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.reasons import KEY_CHANGED, SCHEMA_CHANGED, SCHEMA_NOT_FOLLOWED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.engine.subscribe.failures import RowBlocks
from zcbus.engine.subscribe.schema.mapping import (
    columns_of,
    evolve,
    map_checkpoint,
    map_table,
    require_exact_keys,
    spelled_by,
)
from zcbus.engine.subscribe.table import Skips, SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.evolution import (
    Problem,
    StructureChange,
    change_clauses,
    compare,
    compares_keys_otherwise,
    describe_change,
    value_in_old_rows,
)
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode, DdlMode
from zcbus.model.types import Kind


def alter_target(
    session: TargetSession,
    run: SyncRun,
    checkpoint: TableCheckpoint,
    known: TableSchema,
    schema: TableSchema,
    key: tuple[str, ...],
    *,
    approved: bool = False,
) -> TableCheckpoint:
    """Alter the target table; returns the new checkpoint. Safe to repeat after a crash.
    `approved`: an operator confirmed that a rewrite changed no values.

    Raises TableStopped if the target's rows would differ from the source's afterwards, or if the key changed.
    """
    change = compare(known, schema, spec_of(schema.dialect).capabilities.fills_not_null)
    renamed = dict(change.renamed)
    new_key = tuple(renamed.get(name, name) for name in checkpoint.key)
    if set(new_key) != set(key):
        raise TableStopped(KEY_CHANGED, table=schema.name, before=", ".join(checkpoint.key), after=", ".join(key))
    _check(run, known, schema, change, approved)
    left_out = set(known.names) - {name for name, _ in checkpoint.columns}
    ignored = {after.name for before, after in change.retained if before.name in left_out}
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
    """The alteration with the index changes of a table of our own. `renamed`: its columns' names, old to new."""
    before = {index.name: index.renamed(renamed) for index in old.indexes}
    after = {index.name: index for index in new.indexes}
    moved = {
        index.name: other.name
        for index in before.values()
        for other in after.values()
        if index.name not in after and other.name not in before and replace(index, name=other.name) == other
    }
    gone = before.keys() - after.keys() - moved.keys()
    # A redefined column may fit into an index in another way than before.
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
    pairs = ((had.get(before.name), has.get(after.name)) for before, after in change.retained)
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
    kept = [
        (had[one.name], has[two.name], one, two) for one, two in change.retained if one.name in had and two.name in has
    ]
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
    """The table's unique keys, by their columns' future names in the target."""
    found = set()
    for key in schema.unique_keys:
        if all(name in columns and renamed.get(name, name) in after for name in key):
            found.add(tuple(after[renamed.get(name, name)].target for name in key))
    return found


_DRIFTS = frozenset({SCHEMA_CHANGED, SCHEMA_NOT_FOLLOWED})
_BOTH_SIDES = frozenset({"table", "before", "after"})
"""Facts that a row error stores as images."""


class SchemaEvolution:
    """Schema evolution in one session. `subscription`: the owner of the row errors."""

    def __init__(self, session: TargetSession, subscription: str) -> None:
        self._session, self._subscription = session, subscription

    def evolve_table(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...], offset: int) -> TableCheckpoint:
        """Create the table, or alter it to a new schema. Returns the checkpoint to store, and sets `run.seen`.
        `offset`: of the record with the new schema. No transaction may be open in the session.

        Raises TableStopped if the table may not or cannot follow, RowBlocks if the target refuses a step.
        """
        before = checkpoint = run.checkpoint
        assert checkpoint is not None
        assert before is not None
        run.structure_waits = run.structure is not None and bool(change_clauses(run.structure, schema))
        if not checkpoint.columns:
            checkpoint = self._create(run, checkpoint, schema, key)
        else:
            try:
                checkpoint = self._evolve_target(run, checkpoint, schema, key, offset)
            except TableStopped as stopped:
                if run.structure is None or stopped.reason.code not in _DRIFTS:
                    raise
                checkpoint = self._drift(run, checkpoint, run.structure, schema, key, offset, stopped)
            if compares_keys_otherwise(run.structure, schema, checkpoint.key):
                self._keep_keys_apart(run, checkpoint, schema)
        if run.structure_waits:
            checkpoint = _counted(before, checkpoint, run.task.ddl)
        run.seen, run.structure_waits = schema, False
        return checkpoint

    def _evolve_target(
        self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema, key: tuple[str, ...], offset: int
    ) -> TableCheckpoint:
        if run.structure is None or run.task.ddl is not DdlMode.FOLLOW:
            return self._only_add(run, checkpoint, schema, key)
        return self._alter_target(run, checkpoint, run.structure, schema, key, offset)

    def _keep_keys_apart(self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema) -> None:
        """The source may now distinguish keys that it did not: so must the target, which would merge their rows.

        Raises TableStopped if the table is not ours, or its structure may not be changed.
        """
        target = map_checkpoint(run, checkpoint, schema, checkpoint.key).table
        inexact = {found.column for found in self._session.inexact_keys(target)}
        if inexact and checkpoint.created and run.task.ddl is DdlMode.FOLLOW:
            columns = tuple(column for column in target.columns if column.target in inexact)
            self._session.alter_table(target, Alteration(redefine=columns))
        if inexact:
            require_exact_keys(self._session, target)

    def _drift(
        self,
        run: SyncRun,
        checkpoint: TableCheckpoint,
        known: TableSchema,
        schema: TableSchema,
        key: tuple[str, ...],
        offset: int,
        stopped: TableStopped,
    ) -> TableCheckpoint:
        """Execute the operator's decision about a schema change that the table cannot follow. Raises DriftBlocks."""
        found = _row_error(run, known, schema, offset, stopped.reason.code, _facts_text(stopped))
        decision = self._decision(found)
        if decision is Decision.SKIP:
            return self._skip(run, checkpoint, schema, found, "skipped")
        if decision is Decision.RETRY:
            try:
                after = self._alter_target(run, checkpoint, known, schema, key, offset, approved=True)
            except TableStopped as again:
                raise DriftBlocks(replace(found, detail=_facts_text(again)), again) from again
            self._done(found, "applied")
            return after
        skips = Skips.of(run.task, checkpoint)
        if stopped.reason.code == SCHEMA_NOT_FOLLOWED and skips.take_ddl():
            return skips.noted(self._skip(run, checkpoint, schema, found, "skip-count"))
        raise DriftBlocks(found, stopped)

    def _decision(self, found: RowError) -> Decision | None:
        earlier = self._session.row_errors.read(self._subscription, RowErrorFilter(ids=(found.id,)))
        return earlier[0].wanted if earlier else None

    def _skip(
        self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema, found: RowError, note: str
    ) -> TableCheckpoint:
        """Skip the schema change: the target keeps its columns that the source still has."""
        self._done(found, note)
        names = set(schema.names)
        columns = tuple(pair for pair in checkpoint.columns if pair[0] in names)
        return replace(checkpoint, columns=columns, structures_skipped=checkpoint.structures_skipped + 1)

    def _done(self, found: RowError, note: str) -> None:
        done = replace(found, status=RowErrorStatus.PROCESSED, blocking=False, note=note)
        self._session.row_errors.keep(self._subscription, [done])

    def _create(
        self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema, key: tuple[str, ...]
    ) -> TableCheckpoint:
        target = map_table(run.task, schema, key, run.shapes).table
        existing = self._session.describe([target.name]).get(target.name)
        spelled = spelled_by(target, existing, run.task.transform.exact_names)
        target = map_table(run.task, schema, key, run.shapes, spelled=spelled).table
        created = checkpoint.created or existing is None
        if not created:
            require_exact_keys(self._session, target)
        self._session.create_table(target, CleanMode.NONE)
        if created:
            self._session.complete_table(target)
        return replace(checkpoint, columns=columns_of(schema), key=key, spelled=spelled, created=created)

    def _only_add(
        self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema, key: tuple[str, ...]
    ) -> TableCheckpoint:
        known = columns_of(run.structure) if run.structure is not None else checkpoint.columns
        evolution = evolve(run.task, known, checkpoint.key, schema, key)
        if evolution.added:
            target = map_table(run.task, schema, key, run.shapes, evolution.columns, checkpoint.spelled).table
            columns = [column for column in target.columns if column.source in evolution.added]
            self._session.add_columns(target, columns)
        return replace(checkpoint, columns=evolution.columns if evolution.added else checkpoint.columns)

    def _alter_target(
        self,
        run: SyncRun,
        checkpoint: TableCheckpoint,
        known: TableSchema,
        schema: TableSchema,
        key: tuple[str, ...],
        offset: int,
        approved: bool = False,
    ) -> TableCheckpoint:
        try:
            return alter_target(self._session, run, checkpoint, known, schema, key, approved=approved)
        except (RowRefused, TableRefused) as error:
            self._session.rollback()
            return self._refused(run, checkpoint, known, schema, offset, error)

    def _refused(
        self,
        run: SyncRun,
        checkpoint: TableCheckpoint,
        known: TableSchema,
        schema: TableSchema,
        offset: int,
        error: RowRefused | TableRefused,
    ) -> TableCheckpoint:
        """Skip the schema change if that is allowed or decided. Raises RowBlocks."""
        found = _row_error(run, known, schema, offset, error.code, str(error.facts.get("detail") or error))
        if self._decision(found) is Decision.SKIP:
            return self._skip(run, checkpoint, schema, found, "skipped")
        skips = Skips.of(run.task, checkpoint)
        if not skips.take_ddl():
            raise RowBlocks(found, run.task.ddl_skip)
        return skips.noted(self._skip(run, checkpoint, schema, found, "skip-count"))


def _counted(before: TableCheckpoint, after: TableCheckpoint, ddl: DdlMode) -> TableCheckpoint:
    """The checkpoint with one more schema change counted, followed or skipped."""
    after = replace(after, structure_ms=now_ms())
    if after.structures_skipped > before.structures_skipped:
        return after
    if ddl is DdlMode.FOLLOW or after.columns != before.columns:
        return replace(after, structures_followed=after.structures_followed + 1)
    return replace(after, structures_skipped=after.structures_skipped + 1)


class DriftBlocks(RowBlocks):
    """A schema change blocks the table until an operator applies or ignores it."""

    def __init__(self, row_error: RowError, stopped: TableStopped) -> None:
        TableStopped.__init__(self, stopped.reason.code, **stopped.reason.facts)
        self.row_error = row_error


def _facts_text(stopped: TableStopped) -> str:
    """The reason's facts as text for operators."""
    facts = {name: value for name, value in stopped.reason.facts.items() if value and name not in _BOTH_SIDES}
    return ", ".join(f"{name}: {value}" for name, value in facts.items())


def _row_error(run: SyncRun, known: TableSchema, schema: TableSchema, offset: int, code: str, detail: str) -> RowError:
    now = now_ms()
    return RowError(
        id=f"{run.task.id}/{run.task.generation}/{offset}.ddl",
        table=run.task.id,
        target=f"{run.task.target.schema_name}.{run.task.target.table}",
        operation=RowOperation.DDL,
        status=RowErrorStatus.NOT_PROCESSED,
        key={},
        before={column.name: column.type.native for column in known.columns},
        after={column.name: column.type.native for column in schema.columns},
        code=code,
        detail=detail,
        statement=describe_change(known, schema),
        position="",
        commit_ms=None,
        found_ms=now,
        changed_ms=now,
        blocking=True,
    )
