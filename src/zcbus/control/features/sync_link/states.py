"""A link's state, worked out from what its services and tables reported; and what can be done in each state."""

from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.control.features.subscribe.schemas import TableCounts
from zcbus.control.features.sync_link.schemas import LinkAction
from zcbus.model.services import STANDS_STILL
from zcbus.model.states import DesiredState, LinkState, ServiceState, SyncState
from zcbus.model.table_states import FAILED, WAITING

LOADING = frozenset({SyncState.FULL_RUNNING})

# Pausing a link that comes up is as sensible as pausing one that runs.
LINK_ACTIONS: Mapping[LinkState, tuple[LinkAction, ...]] = {
    LinkState.STOPPED: (LinkAction.START, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.STARTING: (LinkAction.PAUSE, LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.FULL_RUNNING: (LinkAction.PAUSE, LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.INCREMENTAL_RUNNING: (LinkAction.PAUSE, LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.FULL_FINISHED: (LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.SUSPENDED: (LinkAction.RESUME, LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
    LinkState.STOPPING: (LinkAction.START, LinkAction.STOP, LinkAction.DELETE),
    LinkState.ERROR: (LinkAction.START, LinkAction.PAUSE, LinkAction.STOP, LinkAction.EDIT, LinkAction.DELETE),
}

# What an action makes a link want; asking again for what is wanted already is no error.
DESIRED_BY_ACTION: Mapping[LinkAction, DesiredState] = {
    LinkAction.START: DesiredState.RUNNING,
    LinkAction.RESUME: DesiredState.RUNNING,
    LinkAction.PAUSE: DesiredState.SUSPENDED,
    LinkAction.STOP: DesiredState.STOPPED,
}

# A paused link and a stopped one are set going by either word.
_SAME_ACTION: Mapping[LinkAction, LinkAction] = {
    LinkAction.START: LinkAction.RESUME,
    LinkAction.RESUME: LinkAction.START,
}


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """What is known of a service. `pending`: its agent has not taken its newest order yet, so `observed` is no answer
    to it. `waiting`: its process runs, but something outside is away."""

    observed: ServiceState
    pending: bool = False
    waiting: bool = False

    @property
    def at_rest(self) -> bool:
        """Nothing runs, and nothing is about to."""
        return self.observed in STANDS_STILL and not self.pending

    @property
    def broken(self) -> bool:
        """It cannot run until somebody changes something."""
        return self.observed is ServiceState.ABNORMAL and not self.pending

    @property
    def works(self) -> bool:
        """It runs, as asked, and nothing stands in its way."""
        return self.observed is ServiceState.STARTED and not self.pending and not self.waiting


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What a link's state follows from. `tables`: number of tables by state."""

    desired: DesiredState
    publish: ServiceFacts
    subscribe: ServiceFacts
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
    database that is away, the link is starting: it goes on by itself."""
    if facts.desired is DesiredState.STOPPED:
        at_rest = facts.publish.at_rest and facts.subscribe.at_rest
        return LinkState.STOPPED if at_rest else LinkState.STOPPING
    if facts.desired is DesiredState.SUSPENDED:
        # Pausing stops the apply; whoever steers services themselves may have stopped the capture instead.
        held = facts.subscribe.at_rest or (facts.publish.at_rest and not facts.publish.broken)
        return LinkState.SUSPENDED if held else LinkState.STOPPING
    services = (facts.publish, facts.subscribe)
    if any(service.broken for service in services) or (facts.total and facts.count(FAILED) == facts.total):
        return LinkState.ERROR
    if not all(service.works for service in services):
        return LinkState.STARTING
    return _running_state(facts)


def table_counts(tables: Mapping[SyncState, int], row_errors: int) -> TableCounts:
    """A link's tables in groups a list has room for, with their open row errors."""
    running = ServiceFacts(ServiceState.STARTED)
    facts = LinkFacts(DesiredState.RUNNING, running, running, tables)
    return TableCounts(
        total=facts.total,
        loading=facts.count(LOADING),
        running=facts.tables.get(SyncState.INCREMENTAL_RUNNING, 0),
        finished=facts.tables.get(SyncState.FULL_FINISHED, 0),
        suspended=facts.tables.get(SyncState.SUSPENDED, 0),
        error=facts.count(FAILED),
        waiting=facts.count(WAITING),
        row_errors=row_errors,
    )


def link_actions(state: LinkState) -> list[LinkAction]:
    """What can be done with a link in this state."""
    return list(LINK_ACTIONS[state])


def is_possible(action: LinkAction, state: LinkState) -> bool:
    """Whether an action may be done with a link in this state."""
    actions = LINK_ACTIONS[state]
    return action in actions or _SAME_ACTION.get(action) in actions


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
