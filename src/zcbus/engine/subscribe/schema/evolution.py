"""Making a target table fit the structure of the changes that come next."""

from dataclasses import replace

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.reasons import SCHEMA_CHANGED, SCHEMA_NOT_FOLLOWED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.engine.subscribe.row_errors.rejected_rows import RowBlocks
from zcbus.engine.subscribe.row_errors.skips import Skips
from zcbus.engine.subscribe.schema.exact_keys import require_exact_keys
from zcbus.engine.subscribe.schema.follow import follow
from zcbus.engine.subscribe.schema.mapping import columns_of, evolve, map_table, spelled_by
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.evolution import changes_in_words, describe_change
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode, DdlMode

_DRIFTS = frozenset({SCHEMA_CHANGED, SCHEMA_NOT_FOLLOWED})
_BOTH_SIDES = frozenset({"table", "before", "after"})
"""Facts that a row error keeps as images."""


class SchemaEvolution:
    """Works for one session; `subscription` names whose row errors are kept."""

    def __init__(self, session: TargetSession, subscription: str) -> None:
        self._session, self._subscription = session, subscription

    def restructure(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...], offset: int) -> TableCheckpoint:
        """Create the table, or make it follow its source; returns the checkpoint to store, and notes the structure in
        `run.seen`. `offset`: of the record that has the new structure. Nothing may be open in the session.

        Raises TableStopped where the table may not or cannot follow, RowBlocks where the target refuses a step.
        """
        before = checkpoint = run.checkpoint
        assert checkpoint is not None
        assert before is not None
        run.structure_waits = run.structure is not None and bool(changes_in_words(run.structure, schema))
        if not checkpoint.columns:
            checkpoint = self._create(run, checkpoint, schema, key)
        else:
            try:
                checkpoint = self._carry_over(run, checkpoint, schema, key, offset)
            except TableStopped as stopped:
                if run.structure is None or stopped.reason.code not in _DRIFTS:
                    raise
                checkpoint = self._drift(run, checkpoint, run.structure, schema, key, offset, stopped)
        if run.structure_waits:
            checkpoint = _counted(before, checkpoint, run.task.ddl)
        run.seen, run.structure_waits = schema, False
        return checkpoint

    def _carry_over(
        self, run: SyncRun, checkpoint: TableCheckpoint, schema: TableSchema, key: tuple[str, ...], offset: int
    ) -> TableCheckpoint:
        if run.structure is None or run.task.ddl is not DdlMode.FOLLOW:
            return self._only_add(run, checkpoint, schema, key)
        return self._follow(run, checkpoint, run.structure, schema, key, offset)

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
        """The table may not or cannot follow: what somebody decided about it is done, else it stands still here."""
        found = _row_error(run, known, schema, offset, stopped.reason.code, _words(stopped))
        decision = self._decision(found)
        if decision is Decision.SKIP:
            return self._skip(run, checkpoint, schema, found, "skipped")
        if decision is Decision.RETRY:
            try:
                after = self._follow(run, checkpoint, known, schema, key, offset, approved=True)
            except TableStopped as again:
                raise DriftBlocks(replace(found, detail=_words(again)), again) from again
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
        """The target goes on with the columns that it has, as far as the source still has them."""
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
        target = map_table(run.task, schema, key).table
        existing = self._session.describe([target.name]).get(target.name)
        spelled = spelled_by(target, existing, run.task.transform.exact_names)
        target = map_table(run.task, schema, key, spelled=spelled).table
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
            target = map_table(run.task, schema, key, evolution.columns, checkpoint.spelled).table
            columns = [column for column in target.columns if column.source in evolution.added]
            self._session.add_columns(target, columns)
        return replace(checkpoint, columns=evolution.columns if evolution.added else checkpoint.columns)

    def _follow(
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
            return follow(self._session, run, checkpoint, known, schema, key, approved=approved)
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
        """Skip the change of structure where that is allowed or was decided: the target goes on as it is."""
        found = _row_error(run, known, schema, offset, error.code, str(error.facts.get("detail") or error))
        if self._decision(found) is Decision.SKIP:
            return self._skip(run, checkpoint, schema, found, "skipped")
        skips = Skips.of(run.task, checkpoint)
        if not skips.take_ddl():
            raise RowBlocks(found, run.task.ddl_skip)
        return skips.noted(self._skip(run, checkpoint, schema, found, "skip-count"))


def _counted(before: TableCheckpoint, after: TableCheckpoint, ddl: DdlMode) -> TableCheckpoint:
    """The checkpoint with one more change of structure in its figures, followed or not."""
    after = replace(after, structure_ms=now_ms())
    if after.structures_skipped > before.structures_skipped:
        return after
    if ddl is DdlMode.FOLLOW or after.columns != before.columns:
        return replace(after, structures_followed=after.structures_followed + 1)
    return replace(after, structures_skipped=after.structures_skipped + 1)


class DriftBlocks(RowBlocks):
    """The table stands still in front of a change of its source's structure until somebody applies or ignores it."""

    def __init__(self, row_error: RowError, stopped: TableStopped) -> None:
        TableStopped.__init__(self, stopped.reason.code, **stopped.reason.facts)
        self.row_error = row_error


def _words(stopped: TableStopped) -> str:
    """The reason's facts in a few words, for people."""
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
