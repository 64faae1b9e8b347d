"""How far a task is: structure → full → incremental, counted in tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sync_task.schemas import Milestone, MilestoneKey, MilestoneState
from zcbus.model.states import LoadMode, SyncState

_FULL_FAILED = (SyncState.ERROR, SyncState.FULL_ERROR, SyncState.FULL_INFO_EXPIRED)
_NOT_BEGUN = (SyncState.ERROR, SyncState.FULL_ERROR)
_LOADED = (
    SyncState.FULL_FINISHED,
    SyncState.INCREMENTAL_ALLOWED,
    SyncState.INCREMENTAL_RUNNING,
    SyncState.INCREMENTAL_ERROR,
)


def milestones(groups: Sequence[Row[Any]]) -> list[Milestone]:
    """The stages that a task's tables pass, from the groups of `repository.select_progress`, without stages that no
    table needs."""
    loading = [group for group in groups if group.load_mode != LoadMode.INCREMENTAL]
    changing = [group for group in groups if group.load_mode != LoadMode.FULL]
    stages = [_structure(groups)]
    if loading:
        stages.append(_full(loading))
    if changing:
        stages.append(_incremental(changing))
    return stages


def _structure(groups: Sequence[Row[Any]]) -> Milestone:
    done = _count(group for group in groups if _is_loaded(group) or group.state == SyncState.FULL_RUNNING)
    failed = any(group.state in _NOT_BEGUN and not group.begun for group in groups)
    return _stage(MilestoneKey.STRUCTURE, done, _count(groups), failed, begun=done > 0)


def _full(groups: Sequence[Row[Any]]) -> Milestone:
    done = _count(group for group in groups if _is_loaded(group))
    failed = any(group.state in _FULL_FAILED and not _fails_later(group) for group in groups)
    begun = done > 0 or any(group.state == SyncState.FULL_RUNNING for group in groups)
    return _stage(MilestoneKey.FULL, done, _count(groups), failed, begun)


def _incremental(groups: Sequence[Row[Any]]) -> Milestone:
    done = _count(group for group in groups if group.state == SyncState.INCREMENTAL_RUNNING)
    failed = any(group.state == SyncState.INCREMENTAL_ERROR or _fails_later(group) for group in groups)
    return _stage(MilestoneKey.INCREMENTAL, done, _count(groups), failed, begun=done > 0)


def _fails_later(group: Row[Any]) -> bool:
    """In error, but the full load had ended."""
    return bool(group.state == SyncState.ERROR and group.loaded)


def _is_loaded(group: Row[Any]) -> bool:
    return bool(group.loaded) or group.state in _LOADED


def _count(groups: Iterable[Row[Any]]) -> int:
    return sum(int(group.tables) for group in groups)


def _stage(key: MilestoneKey, done: int, total: int, failed: bool, begun: bool) -> Milestone:
    state = MilestoneState.WAITING
    if failed:
        state = MilestoneState.ERROR
    elif total and done == total:
        state = MilestoneState.DONE
    elif begun:
        state = MilestoneState.RUNNING
    return Milestone(key=key, state=state, done=done, total=total)
