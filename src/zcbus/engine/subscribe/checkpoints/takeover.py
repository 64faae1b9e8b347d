"""Takeover of tables from other channels of the same target.

A table's checkpoint and row errors move from one subscription to another in one transaction of the target. A
checkpoint in phase MOVED_AWAY remains, whose version fences out open transactions of the other channel: nothing is
applied twice, whether that channel runs, hangs, was stopped or receives the move later.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from zcbus.connectors.errors import Fenced
from zcbus.connectors.roles import Checkpoint, TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    CheckpointWriter,
    Phase,
    SchemaCheckpoint,
    TableCheckpoint,
    applier_checkpoints,
    channel_checkpoint,
    checkpoint_apart,
    is_of_table,
    schema_checkpoint,
    structure_name,
    table_checkpoint,
    with_parallel_appliers,
)
from zcbus.engine.subscribe.row_errors.store import load_quarantined
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.logging import get_logger
from zcbus.model.serial import schema_to_json

_POLL_SECONDS = 0.2
_MAX_AT_ONCE = 200
_RELEASE_SECONDS = 5.0
"""Time for a channel to release a table at a boundary; a forced takeover interrupts its other tables."""
_PREPARE_SECONDS = 60.0
"""Time for a channel to finish preparing a target table, which is not a single transaction."""

Stored = Mapping[str, Mapping[str, Checkpoint]]
"""Checkpoints by subscription and name."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A found checkpoint of a table."""

    subscription: str
    checkpoint: TableCheckpoint


class Takeover:
    """Takes over tables without a job, in the channel applier's session."""

    def __init__(self, session: TargetSession, checkpoints: CheckpointWriter) -> None:
        self._session, self._checkpoints = session, checkpoints
        self._next_poll = 0.0
        self._waiting_since: dict[str, float] = {}
        """Table → start of the wait."""
        self._log = get_logger("takeover").bind(subscription=checkpoints.subscription)

    def poll(self, runs: Iterable[SyncRun]) -> None:
        """Take over tables that were moved to this channel, if possible now. Nothing may be open."""
        now = time.monotonic()
        awaited = [run for run in runs if run.moves < run.task.moves]
        if not awaited or now < self._next_poll:
            return
        self._next_poll = now + _POLL_SECONDS
        try:
            self._take(awaited, now)
        except Fenced:
            # The other channel has written meanwhile.
            self._checkpoints.rollback()

    def _take(self, awaited: Sequence[SyncRun], now: float) -> None:
        stored = self._read(awaited)
        mine = stored[self._checkpoints.subscription]
        self._checkpoints.versions.update(
            {name: checkpoint.version for name, checkpoint in mine.items() if is_of_table(name)}
        )
        ready = []
        for run in awaited:
            found = _newest(run, self._checkpoints.subscription, stored)
            if found is not None and found.checkpoint.moves >= run.task.moves:
                run.checkpoint = found.checkpoint
            elif self._may_take(run, found, now):
                ready.append((run, found))
        now_taken = sorted(ready[:_MAX_AT_ONCE], key=lambda one: one[0].task.id)
        # The same order as in a channel applier and in joins and leaves, which prevents deadlocks.
        self._fence([found for _, found in now_taken], stored)
        moved = [(run, self._move(run, found, stored)) for run, found in now_taken]
        self._checkpoints.commit()
        for run, checkpoint in moved:
            self._adopt(run, checkpoint)
        self._checkpoints.rollback()

    def _read(self, awaited: Sequence[SyncRun]) -> Stored:
        names = {self._checkpoints.subscription, *(name for run in awaited for name in run.task.came_from)}
        return {
            name: {checkpoint.name: checkpoint for checkpoint in self._session.checkpoints(name)}
            for name in sorted(names)
        }

    def _may_take(self, run: SyncRun, found: _Found | None, now: float) -> bool:
        since = self._waiting_since.setdefault(run.task.id, now)
        if found is None or found.subscription == self._checkpoints.subscription:
            return True
        if found.checkpoint.phase is Phase.MEMBER:
            return now - since > _RELEASE_SECONDS
        if found.checkpoint.phase is Phase.LOADING and not found.checkpoint.columns:
            return now - since > _PREPARE_SECONDS
        return True

    def _fence(self, found: Iterable[_Found | None], stored: Stored) -> None:
        """Fence out channel appliers with these tables, so that they cannot commit."""
        carriers = {
            found.subscription for found in found if found is not None and found.checkpoint.phase is Phase.MEMBER
        }
        for name in sorted(carriers):
            for checkpoint in sorted(stored[name].values(), key=lambda one: one.name):
                if not is_of_table(checkpoint.name):
                    self._session.write_checkpoints([replace(checkpoint, version=checkpoint.version + 1)])

    def _move(self, run: SyncRun, found: _Found | None, stored: Stored) -> TableCheckpoint:
        """Write the moved checkpoints in the open transaction."""
        table, moves = run.task.id, run.task.moves
        moved = TableCheckpoint(0, Phase.MOVED_AWAY, moves=moves)
        for name in run.task.came_from:
            before = stored[name].get(table)
            text = orjson.dumps(moved).decode()
            self._session.write_checkpoints(
                [Checkpoint(name, table, before.version + 1 if before is not None else 1, text)]
            )
        checkpoint = TableCheckpoint(0, Phase.LOADING, moves=moves)
        run.seen = run.structure = None
        if found is not None:
            checkpoint = replace(_checkpoint_apart(table, found, stored), moves=moves)
            self._carry_along(run, found, stored)
        self._checkpoints.write(table, checkpoint)
        return checkpoint

    def _carry_along(self, run: SyncRun, found: _Found, stored: Stored) -> None:
        table, origin = run.task.id, found.subscription
        structure = stored[origin].get(structure_name(table))
        if structure is not None:
            run.seen = run.structure = schema_checkpoint(structure.data)
        if origin == self._checkpoints.subscription:
            return
        if run.structure is not None:
            self._checkpoints.write(structure_name(table), SchemaCheckpoint(schema_to_json(run.structure)))
        which, errors = RowErrorFilter(tables=(table,)), self._session.row_errors
        errors.keep(self._checkpoints.subscription, errors.lock(origin, which))
        errors.delete(origin, which)

    def _adopt(self, run: SyncRun, checkpoint: TableCheckpoint) -> None:
        run.checkpoint = checkpoint
        load_quarantined(self._session, self._checkpoints.subscription, run)
        self._waiting_since.pop(run.task.id, None)
        self._log.info("table taken over", table=str(run.source), phase=checkpoint.phase, offset=checkpoint.offset)


def _newest(run: SyncRun, own: str, stored: Stored) -> _Found | None:
    """The checkpoint of a table; None: no channel has one."""
    found = []
    for name in (own, *run.task.came_from):
        checkpoint = stored[name].get(run.task.id)
        if checkpoint is not None:
            found.append(_Found(name, table_checkpoint(checkpoint.data)))
    outdated = [one for one in found if one.checkpoint.moves > run.task.moves]
    remaining = [one for one in found if one.checkpoint.phase is not Phase.MOVED_AWAY]
    return max(outdated or remaining, key=lambda one: one.checkpoint.moves, default=None)


def _checkpoint_apart(table: str, found: _Found, stored: Stored) -> TableCheckpoint:
    """The checkpoint of a table that has left its channel."""
    if found.checkpoint.phase is not Phase.MEMBER:
        return found.checkpoint
    checkpoints = stored[found.subscription]
    main, keys = (
        channel_checkpoint(checkpoints[MAIN].data),
        applier_checkpoints({name: checkpoint.data for name, checkpoint in checkpoints.items()}),
    )
    return checkpoint_apart(with_parallel_appliers(table, found.checkpoint, main, keys), main)
