"""State of a sync link, from its order, its services and the states of its tables."""

from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.model.reduction.services import STILL, Worker
from zcbus.model.states import DesiredState, LinkState, SyncState
from zcbus.model.table_states import FAILED, WAITING

LOADING = frozenset({SyncState.FULL_RUNNING})


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """Facts that determine a link's state. `tables`: number of tables by state."""

    desired: DesiredState
    publish: Worker
    subscribe: Worker
    tables: Mapping[SyncState, int]

    def count(self, states: frozenset[SyncState]) -> int:
        """Number of tables in any of the states."""
        return sum(self.tables.get(state, 0) for state in states)

    @property
    def total(self) -> int:
        return sum(self.tables.values())


def link_state(facts: LinkFacts) -> LinkState:
    """The state of a link.

    Failed tables do not determine it while others work; they are counted separately. A link is in error if a service
    cannot run or no working table is left. While a service waits for an unavailable database, the link is starting:
    it resumes by itself.
    """
    workers = (facts.publish, facts.subscribe)
    if facts.desired is DesiredState.STOPPED:
        return LinkState.STOPPED if STILL.issuperset(workers) else LinkState.STOPPING
    if facts.desired is DesiredState.SUSPENDED:
        # A pause stops the subscribe service; a user may have stopped the publish service instead.
        suspended = facts.subscribe in STILL or facts.publish is Worker.AT_REST
        return LinkState.SUSPENDED if suspended else LinkState.STOPPING
    if Worker.ENDED in workers or (facts.total and facts.count(FAILED) == facts.total):
        return LinkState.ERROR
    if workers != (Worker.WORKING, Worker.WORKING):
        return LinkState.STARTING
    return _running_state(facts)


def _running_state(facts: LinkFacts) -> LinkState:
    if facts.count(LOADING) or facts.tables.get(SyncState.FULL_ALLOWED, 0):
        return LinkState.FULL_RUNNING
    if facts.tables.get(SyncState.INCREMENTAL_RUNNING, 0):
        return LinkState.INCREMENTAL_RUNNING
    if facts.count(WAITING):
        return LinkState.STARTING
    if facts.tables.get(SyncState.FULL_FINISHED, 0):
        return LinkState.FULL_FINISHED
    return LinkState.SUSPENDED if facts.tables.get(SyncState.SUSPENDED, 0) else LinkState.STARTING
