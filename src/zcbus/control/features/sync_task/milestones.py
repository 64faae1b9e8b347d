"""How far a task is: structure → full → incremental, counted in tables."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sync_link.tables import is_reloading
from zcbus.control.features.sync_task.schemas import Milestone, MilestoneKey, MilestoneState
from zcbus.model.states import LoadMode, SyncState

_FULL_FAILED = (SyncState.FULL_ERROR, SyncState.FULL_INFO_EXPIRED)
_CHANGES_FAILED = (SyncState.INCREMENTAL_ERROR, SyncState.ERROR)
_LOADED = (
    SyncState.FULL_FINISHED,
    SyncState.INCREMENTAL_ALLOWED,
    SyncState.INCREMENTAL_RUNNING,
    SyncState.INCREMENTAL_ERROR,
)


def milestones(tables: Sequence[Row[Any]]) -> list[Milestone]:
    """The stages that these tables (rows of `views.tables`) pass; stages that no table wants are left out."""
    loading = [row for row in tables if row.load_mode != LoadMode.INCREMENTAL]
    changing = [row for row in tables if row.load_mode != LoadMode.FULL]
    stages = [_structure(tables)]
    if loading:
        stages.append(_full(loading))
    if changing:
        stages.append(_incremental(changing))
    return stages


def _structure(tables: Sequence[Row[Any]]) -> Milestone:
    done = sum(_is_loaded(row) or row.current_state == SyncState.FULL_RUNNING for row in tables)
    failed = any(row.current_state == SyncState.FULL_ERROR and not row.rows_loaded for row in tables)
    return _stage(MilestoneKey.STRUCTURE, done, len(tables), failed, begun=done > 0)


def _full(tables: Sequence[Row[Any]]) -> Milestone:
    done = sum(_is_loaded(row) for row in tables)
    failed = any(row.current_state in _FULL_FAILED for row in tables)
    begun = done > 0 or any(row.current_state == SyncState.FULL_RUNNING for row in tables)
    return _stage(MilestoneKey.FULL, done, len(tables), failed, begun)


def _incremental(tables: Sequence[Row[Any]]) -> Milestone:
    done = sum(row.current_state == SyncState.INCREMENTAL_RUNNING for row in tables)
    failed = any(row.current_state in _CHANGES_FAILED for row in tables)
    return _stage(MilestoneKey.INCREMENTAL, done, len(tables), failed, begun=done > 0)


def _is_loaded(row: Row[Any]) -> bool:
    if is_reloading(row):
        return False
    return row.load_finished_at is not None or row.current_state in _LOADED


def _stage(key: MilestoneKey, done: int, total: int, failed: bool, begun: bool) -> Milestone:
    state = MilestoneState.WAITING
    if failed:
        state = MilestoneState.ERROR
    elif total and done == total:
        state = MilestoneState.DONE
    elif begun:
        state = MilestoneState.RUNNING
    return Milestone(key=key, state=state, done=done, total=total)
