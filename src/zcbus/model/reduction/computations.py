"""A computation's state, from what is wanted of it, its service's report and its service."""

from dataclasses import dataclass

from zcbus.model.reduction import Origin, Reduced
from zcbus.model.reduction.services import GONE, RUNS, Worker
from zcbus.model.states import SyncState

_S = SyncState
_FAILED = frozenset({_S.FULL_ERROR, _S.INCREMENTAL_ERROR, _S.FULL_INFO_EXPIRED})
_WITHOUT_WORKER = {_S.FULL_RUNNING: _S.FULL_ALLOWED, _S.INCREMENTAL_RUNNING: _S.INCREMENTAL_ALLOWED}


@dataclass(frozen=True, slots=True)
class ComputationFacts:
    """What a computation's state follows from."""

    reported: SyncState
    reported_generation: int
    """0: nothing was reported."""
    generation: int
    worker: Worker
    wanted: bool
    """Its service is to run."""


def computation_state(facts: ComputationFacts) -> Reduced[SyncState]:
    """The state of a computation. What stands still with a reason says so also while its service is stopped."""
    is_known = facts.reported_generation == facts.generation
    if is_known and facts.reported in _FAILED:
        return Reduced(facts.reported, Origin.REPORT)
    if facts.wanted and facts.worker is Worker.ENDED:
        return Reduced(_S.ERROR, Origin.SERVICE)
    if not facts.wanted and facts.worker in GONE and facts.reported_generation > 0:
        return Reduced(_S.SUSPENDED, Origin.ORDER)
    if not is_known:
        return Reduced(_S.UNINITIALIZED, Origin.ORDER)
    if facts.worker not in RUNS and facts.reported in _WITHOUT_WORKER:
        return Reduced(_WITHOUT_WORKER[facts.reported], Origin.SERVICE)
    return Reduced(facts.reported, Origin.REPORT)
