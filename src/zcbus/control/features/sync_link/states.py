"""Allowed actions of a link in each state, and groups of its tables' states."""

from collections.abc import Mapping

from zcbus.control.features.subscribe.schemas import TableCounts
from zcbus.control.features.sync_link.schemas import LinkAction
from zcbus.model.reduction.links import LOADING
from zcbus.model.states import DesiredState, LinkState, SyncState
from zcbus.model.table_states import FAILED, WAITING

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

# The desired state of a link after an action; repeating an action is no error.
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


def table_counts(tables: Mapping[SyncState, int], row_errors: int, differing: int) -> TableCounts:
    """A link's tables in groups a list has room for, with their open row errors, and how many have rows that differ."""
    return TableCounts(
        total=sum(tables.values()),
        loading=_count(tables, LOADING),
        running=tables.get(SyncState.INCREMENTAL_RUNNING, 0),
        finished=tables.get(SyncState.FULL_FINISHED, 0),
        suspended=tables.get(SyncState.SUSPENDED, 0),
        error=_count(tables, FAILED),
        waiting=_count(tables, WAITING),
        row_errors=row_errors,
        differing=differing,
    )


def link_actions(state: LinkState) -> list[LinkAction]:
    """The actions that this state allows."""
    return list(LINK_ACTIONS[state])


def is_possible(action: LinkAction, state: LinkState) -> bool:
    """Whether an action may be done with a link in this state."""
    actions = LINK_ACTIONS[state]
    return action in actions or _SAME_ACTION.get(action) in actions


def _count(tables: Mapping[SyncState, int], states: frozenset[SyncState]) -> int:
    return sum(tables.get(state, 0) for state in states)
