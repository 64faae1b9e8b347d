"""State of a subscribed table, from its order, the reports of both its services, and its own service.

A further fact that makes a table untrustworthy although it runs, like open row errors, belongs into `has_trouble`:
links and the home page count it, and show no such table as good.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zcbus.model.reduction import Origin, Reduced
from zcbus.model.reduction.services import NOT_WORKING, RUNS, Worker
from zcbus.model.states import LoadMode, PublishState, SyncState

_S = SyncState

PUBLISH_FAILED = frozenset({PublishState.PUBLISH_FAILED, PublishState.NO_PRIMARY_KEY, PublishState.PUBLISH_STOPPED})
CHANGES_LOST = frozenset({"log-position-lost", "log-let-go", "capture-interrupted", "publication-stopped"})
"""Reasons for which a table is not captured until a snapshot is requested."""

_BEFORE_CHANGES = frozenset({_S.UNINITIALIZED, _S.FULL_ALLOWED, _S.FULL_RUNNING})
_IN_PROGRESS = frozenset(
    {_S.FULL_ALLOWED, _S.FULL_RUNNING, _S.INCREMENTAL_ALLOWED, _S.INCREMENTAL_RUNNING, _S.TABLE_LOCKED}
)
_UNFINISHED = _IN_PROGRESS | {_S.UNINITIALIZED}
_WITHOUT_WORKER: Mapping[SyncState, SyncState] = {
    _S.FULL_RUNNING: _S.FULL_ALLOWED,
    _S.INCREMENTAL_RUNNING: _S.INCREMENTAL_ALLOWED,
    _S.TABLE_LOCKED: _S.INCREMENTAL_ALLOWED,
}
"""State of a working table while its process is away."""


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """The report of the published table that a subscribed table receives."""

    state: PublishState
    reason: str | None
    """The reason's code."""
    reported_generation: int
    generation: int

    @property
    def has_failed(self) -> bool:
        """Whether it cannot be published. Failures of older generations are ignored."""
        return self.state in PUBLISH_FAILED and self.reported_generation >= self.generation

    @property
    def has_expired(self) -> bool:
        """Whether retention deleted its snapshot."""
        return self.state is PublishState.FULL_TOPIC_EXPIRED and self.reported_generation == self.generation


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Facts that determine a subscribed table's state."""

    reported: SyncState
    reported_at: datetime | None
    reported_generation: int
    generation: int
    reported_moves: int
    moves: int
    suspended: bool
    load_mode: LoadMode
    loads: bool
    """Whether the desired generation begins with a full load."""
    load_started: bool
    load_finished: bool
    worker: Worker
    worker_started_at: datetime | None
    desired: bool
    """Whether its service should run."""
    source: SourceFacts
    row_errors: int
    differences: int = 0
    """Rows in which verification found differences from the source."""
    unaccounted: bool = False
    """Whether its publisher and its subscription count different numbers of changes."""

    @property
    def is_outdated(self) -> bool:
        """Whether the last report is about an older generation than the desired one."""
        return self.reported_at is not None and self.reported_generation < self.generation


def begins_with_load(load_mode: str, begin: Mapping[str, Any] | None) -> bool:
    """Whether a generation with this beginning starts with a full load."""
    return bool(begin["mode"] == "full") if begin is not None else load_mode != LoadMode.INCREMENTAL


def is_up(facts: TableFacts) -> bool:
    """Whether the last report is of a process that runs now, as asked, reaches its target, and has the table."""
    if facts.worker not in RUNS or facts.reported_moves != facts.moves:
        return False
    return (
        facts.reported_at is not None
        and facts.worker_started_at is not None
        and facts.reported_at >= facts.worker_started_at
    )


def has_trouble(facts: TableFacts) -> bool:
    """Whether a table's rows have problems, whatever its state."""
    return facts.row_errors > 0 or facts.differences > 0 or facts.unaccounted


def table_state(facts: TableFacts) -> Reduced[SyncState]:
    """The state of a subscribed table."""
    reported = _last_reported(facts)
    if facts.source.has_failed:
        return Reduced(_of_failed_source(facts.source, reported), Origin.PUBLISHING)
    if facts.source.has_expired and reported in _BEFORE_CHANGES:
        return Reduced(_S.FULL_INFO_EXPIRED, Origin.PUBLISHING)
    return _of_own_service(facts, reported)


def _last_reported(facts: TableFacts) -> SyncState:
    """The last report.

    A new process must first read the target: until then a loaded table counts as resuming, not as starting.
    """
    if facts.reported is not _S.UNINITIALIZED:
        return facts.reported
    if facts.load_finished:
        return _S.FULL_FINISHED if facts.load_mode is LoadMode.FULL else _S.INCREMENTAL_ALLOWED
    return _S.FULL_ALLOWED if facts.load_started else _S.UNINITIALIZED


def _of_failed_source(source: SourceFacts, reported: SyncState) -> SyncState:
    if source.reason in CHANGES_LOST:
        # Only a new load helps.
        return _S.FULL_INFO_EXPIRED
    if reported is _S.UNINITIALIZED:
        return _S.ERROR
    return _S.FULL_ERROR if reported in _BEFORE_CHANGES else _S.INCREMENTAL_ERROR


def _of_own_service(facts: TableFacts, reported: SyncState) -> Reduced[SyncState]:
    stopped = facts.suspended or not facts.desired
    if stopped and facts.worker in NOT_WORKING and (facts.is_outdated or reported in _IN_PROGRESS):
        return Reduced(_S.SUSPENDED, Origin.ORDER)
    has_ended = facts.worker is Worker.ENDED and not stopped
    if has_ended and (facts.is_outdated or reported in _UNFINISHED):
        return Reduced(_S.ERROR, Origin.SERVICE)
    if facts.is_outdated:
        return Reduced(_S.FULL_ALLOWED if facts.loads else _S.INCREMENTAL_ALLOWED, Origin.ORDER)
    if not is_up(facts) and reported in _WITHOUT_WORKER:
        return Reduced(_WITHOUT_WORKER[reported], Origin.SERVICE)
    return Reduced(reported, Origin.REPORT)
