"""State of a published table, from its order, its service's report and its service."""

from dataclasses import dataclass

from zcbus.model.reduction import Origin, Reduced
from zcbus.model.reduction.services import RUNS, Worker
from zcbus.model.states import PublishState

_S = PublishState

FAILED = frozenset({_S.PUBLISH_FAILED, _S.NO_PRIMARY_KEY, _S.FULL_TOPIC_EXPIRED})
WAITING = frozenset({_S.UNINITIALIZED, _S.ALLOWED_TO_PUBLISH})
_INDEPENDENT_OF_WORKER = FAILED | {_S.PUBLISH_STOPPED}


@dataclass(frozen=True, slots=True)
class PublishedFacts:
    """Facts that determine a published table's state."""

    reported: PublishState
    was_reported: bool
    reported_generation: int
    generation: int
    """Number of the desired snapshot."""
    worker: Worker
    desired: bool
    """Whether its service should run."""

    @property
    def is_outdated(self) -> bool:
        """Whether the last report is about an older snapshot than the desired one."""
        return self.was_reported and self.reported_generation < self.generation


def published_state(facts: PublishedFacts) -> Reduced[PublishState]:
    """The state of a published table. Without a working process no snapshot is being read."""
    is_ended = facts.desired and facts.worker is Worker.ENDED
    if is_ended and (facts.reported not in _INDEPENDENT_OF_WORKER or facts.is_outdated):
        return Reduced(_S.PUBLISH_FAILED, Origin.SERVICE)
    if facts.is_outdated:
        return Reduced(_S.ALLOWED_TO_PUBLISH, Origin.ORDER)
    if facts.reported is _S.PUBLISHING and facts.worker not in RUNS:
        return Reduced(_S.ALLOWED_TO_PUBLISH, Origin.SERVICE)
    return Reduced(facts.reported, Origin.REPORT)
