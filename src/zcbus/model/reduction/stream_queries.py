"""State of a stream query, from its order, its service's report and its service."""

from dataclasses import dataclass

from zcbus.model.reduction import Origin, Reduced
from zcbus.model.reduction.services import NOT_WORKING, RUNS, Worker
from zcbus.model.states import SyncState

_S = SyncState
_FAILED = frozenset({_S.FULL_ERROR, _S.INCREMENTAL_ERROR, _S.FULL_INFO_EXPIRED})
_WITHOUT_WORKER = {_S.FULL_RUNNING: _S.FULL_ALLOWED, _S.INCREMENTAL_RUNNING: _S.INCREMENTAL_ALLOWED}


@dataclass(frozen=True, slots=True)
class StreamQueryFacts:
    """Facts that determine a stream query's state."""

    reported: SyncState
    reported_generation: int
    """0: no report."""
    generation: int
    worker: Worker
    desired: bool
    """Whether its service should run."""


def computation_state(facts: StreamQueryFacts) -> Reduced[SyncState]:
    """The state of a stream query. A reason that stops it is shown also while its service is stopped."""
    is_current = facts.reported_generation == facts.generation
    if is_current and facts.reported in _FAILED:
        return Reduced(facts.reported, Origin.REPORT)
    if facts.desired and facts.worker is Worker.ENDED:
        return Reduced(_S.ERROR, Origin.SERVICE)
    if not facts.desired and facts.worker in NOT_WORKING and facts.reported_generation > 0:
        return Reduced(_S.SUSPENDED, Origin.ORDER)
    if not is_current:
        return Reduced(_S.UNINITIALIZED, Origin.ORDER)
    if facts.worker not in RUNS and facts.reported in _WITHOUT_WORKER:
        return Reduced(_WITHOUT_WORKER[facts.reported], Origin.SERVICE)
    return Reduced(facts.reported, Origin.REPORT)
