"""Taking over tables that other channels of the same target had.

A table's memory moves from the lanes of one subscription to those of another in one transaction of the target, with its
row errors. What stays behind is a lane in phase GIVEN_AWAY, whose version fences out whatever the other channel still
has open: nothing is applied twice, whether that channel runs, hangs, was stopped or hears of the move later.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from zcbus.connectors.errors import Fenced
from zcbus.connectors.roles import Lane, TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    CheckpointWriter,
    Phase,
    SchemaCheckpoint,
    TableCheckpoint,
    channel_checkpoint,
    is_of_table,
    key_lanes,
    put_down,
    schema_checkpoint,
    structure_name,
    table_checkpoint,
    with_key_lanes,
)
from zcbus.engine.subscribe.row_errors.store import recall_held
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.logging import get_logger
from zcbus.model.serial import schema_to_json

_LOOK_SECONDS = 0.2
_MOST_AT_ONCE = 200
_LET_GO_SECONDS = 5.0
"""So long a channel that carries a table is left to put it down at a border; taking it interrupts the others there."""
_PREPARE_SECONDS = 60.0
"""So long one that makes a target table ready for a load is left to end that: it is no single transaction."""

Stored = Mapping[str, Mapping[str, Lane]]
"""Lanes by subscription and name."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a table's memory is."""

    subscription: str
    lane: TableCheckpoint


class Takeover:
    """Works in the main lane's session, on tables that no job has."""

    def __init__(self, session: TargetSession, lanes: CheckpointWriter) -> None:
        self._session, self._lanes = session, lanes
        self._next_look = 0.0
        self._asked: dict[str, float] = {}
        """Since when each table is waited for."""
        self._log = get_logger("takeover").bind(subscription=lanes.subscription)

    def look(self, runs: Iterable[SyncRun]) -> None:
        """Take over what was given to this channel, as far as that can be done now. Nothing may be open."""
        now = time.monotonic()
        awaited = [run for run in runs if run.moves < run.task.moves]
        if not awaited or now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        try:
            self._take(awaited, now)
        except Fenced:
            # The other channel wrote meanwhile.
            self._lanes.rollback()

    def _take(self, awaited: Sequence[SyncRun], now: float) -> None:
        stored = self._read(awaited)
        mine = stored[self._lanes.subscription]
        self._lanes.versions.update({name: lane.version for name, lane in mine.items() if is_of_table(name)})
        ready = []
        for run in awaited:
            found = _newest(run, self._lanes.subscription, stored)
            if found is not None and found.lane.moves >= run.task.moves:
                run.lane = found.lane
            elif self._may_take(run, found, now):
                ready.append((run, found))
        now_taken = sorted(ready[:_MOST_AT_ONCE], key=lambda one: one[0].task.id)
        # In the order in which a main lane writes, and the lanes of tables that join or leave it, so that none waits
        # for the other.
        self._fence([found for _, found in now_taken], stored)
        moved = [(run, self._move(run, found, stored)) for run, found in now_taken]
        self._lanes.commit()
        for run, lane in moved:
            self._adopt(run, lane)
        self._lanes.rollback()

    def _read(self, awaited: Sequence[SyncRun]) -> Stored:
        names = {self._lanes.subscription, *(name for run in awaited for name in run.task.came_from)}
        return {name: {lane.lane: lane for lane in self._session.lanes(name)} for name in sorted(names)}

    def _may_take(self, run: SyncRun, found: _Found | None, now: float) -> bool:
        since = self._asked.setdefault(run.task.id, now)
        if found is None or found.subscription == self._lanes.subscription:
            return True
        if found.lane.phase is Phase.MEMBER:
            return now - since > _LET_GO_SECONDS
        if found.lane.phase is Phase.LOADING and not found.lane.columns:
            return now - since > _PREPARE_SECONDS
        return True

    def _fence(self, places: Iterable[_Found | None], stored: Stored) -> None:
        """Main lanes that carry tables which are taken must not commit what they have open."""
        carriers = {found.subscription for found in places if found is not None and found.lane.phase is Phase.MEMBER}
        for name in sorted(carriers):
            for lane in sorted(stored[name].values(), key=lambda one: one.lane):
                if not is_of_table(lane.lane):
                    self._session.write_lane(replace(lane, version=lane.version + 1))

    def _move(self, run: SyncRun, found: _Found | None, stored: Stored) -> TableCheckpoint:
        """Write what then holds into the open transaction."""
        table, moves = run.task.id, run.task.moves
        gone = TableCheckpoint(0, Phase.GIVEN_AWAY, moves=moves)
        for name in run.task.came_from:
            before = stored[name].get(table)
            text = orjson.dumps(gone).decode()
            self._session.write_lane(Lane(name, table, before.version + 1 if before is not None else 1, text))
        lane = TableCheckpoint(0, Phase.LOADING, moves=moves)
        run.seen = run.structure = None
        if found is not None:
            lane = replace(_put_down(table, found, stored), moves=moves)
            self._carry_along(run, found, stored)
        self._lanes.write(table, lane)
        return lane

    def _carry_along(self, run: SyncRun, found: _Found, stored: Stored) -> None:
        table, origin = run.task.id, found.subscription
        structure = stored[origin].get(structure_name(table))
        if structure is not None:
            run.seen = run.structure = schema_checkpoint(structure.data)
        if origin == self._lanes.subscription:
            return
        if run.structure is not None:
            self._lanes.write(structure_name(table), SchemaCheckpoint(schema_to_json(run.structure)))
        which, errors = RowErrorFilter(tables=(table,)), self._session.row_errors
        errors.keep(self._lanes.subscription, errors.lock(origin, which))
        errors.delete(origin, which)

    def _adopt(self, run: SyncRun, lane: TableCheckpoint) -> None:
        run.lane = lane
        recall_held(self._session, self._lanes.subscription, run)
        self._asked.pop(run.task.id, None)
        self._log.info("table taken over", table=str(run.source), phase=lane.phase, offset=lane.offset)


def _newest(run: SyncRun, own: str, stored: Stored) -> _Found | None:
    """The memory of a table; None: no channel has begun with it."""
    found = []
    for name in (own, *run.task.came_from):
        lane = stored[name].get(run.task.id)
        if lane is not None:
            found.append(_Found(name, table_checkpoint(lane.data)))
    outdated = [one for one in found if one.lane.moves > run.task.moves]
    kept = [one for one in found if one.lane.phase is not Phase.GIVEN_AWAY]
    return max(outdated or kept, key=lambda one: one.lane.moves, default=None)


def _put_down(table: str, found: _Found, stored: Stored) -> TableCheckpoint:
    """The table's memory once nobody carries it."""
    if found.lane.phase is not Phase.MEMBER:
        return found.lane
    lanes = stored[found.subscription]
    main, keys = channel_checkpoint(lanes[MAIN].data), key_lanes({name: lane.data for name, lane in lanes.items()})
    return put_down(with_key_lanes(table, found.lane, main, keys), main)
