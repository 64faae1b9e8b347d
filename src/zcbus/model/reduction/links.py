"""A sync link's state, from what is wanted of it, its services and the states of its tables."""

from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.model.reduction.services import STILL, Worker
from zcbus.model.states import DesiredState, LinkState, SyncState
from zcbus.model.table_states import FAILED, WAITING

LOADING = frozenset({SyncState.FULL_RUNNING})


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What a link's state follows from. `tables`: number of tables by state."""

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
    """The state of a link. Tables in error do not make the link's state as long as others work: they are counted
    beside it. A link is in error when a service cannot run or no table is left that could. While a service waits for a
    database that is away, the link is starting: it resumes by itself."""
    workers = (facts.publish, facts.subscribe)
    if facts.desired is DesiredState.STOPPED:
        return LinkState.STOPPED if STILL.issuperset(workers) else LinkState.STOPPING
    if facts.desired is DesiredState.SUSPENDED:
        # Pausing stops the apply; whoever steers services themselves may have stopped the capture instead.
        held = facts.subscribe in STILL or facts.publish is Worker.AT_REST
        return LinkState.SUSPENDED if held else LinkState.STOPPING
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
