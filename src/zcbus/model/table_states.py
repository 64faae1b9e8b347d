"""States of subscribed tables, the actions that each allows, and the transitions between them.

The state is derived from the last report and the order (`control.features.subscribe.table_state`). The actions follow
from it here and in `table_verbs`, for the server, the console and `docs/table-states.md`.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from zcbus.model.states import ERROR_STATES, SyncState


class TableAction(StrEnum):
    """Actions on one subscribed table while the others run."""

    RELOAD = "reload"
    """Start full subscription."""
    SUSPEND = "suspend"
    RESUME = "resume"
    """Resume at its position; failed changes are retried."""
    RESET = "reset"
    """Discard its position and suspend it."""
    RESET_START = "reset-start"
    START_INCREMENTAL = "start-incremental"
    """Start at a time or offset; if suspended, only set the position."""
    ACCEPT_GAP = "accept-gap"
    """Continue without changes that are lost."""


class TableEvent(StrEnum):
    """Events of a subscribed table."""

    RELEASED = "released"
    """Its service has read its state: it waits for the snapshot or a free loader."""
    PLACED = "placed"
    """Its service has read its state: no load is needed, its position is known."""
    LOADING = "loading"
    LOADED = "loaded"
    """The last row is in the target; changes are not replicated."""
    CAUGHT_UP = "caught-up"
    """It applies changes with the others of its channel."""
    INTERRUPTED = "interrupted"
    """Its service stopped or lost its databases; it resumes by itself."""
    LOCKED = "locked"
    """Another session has locked the target table."""
    UNLOCKED = "unlocked"
    FAILED = "failed"
    """It cannot continue until a person decides or fixes the cause."""
    DESERTED = "deserted"
    """Its service's process ended for good."""
    EXPIRED = "expired"
    """Retention has deleted rows or changes that it needs."""


class Transition(NamedTuple):
    """A transition between states, with its cause."""

    before: SyncState
    cause: TableAction | TableEvent
    after: SyncState


_S, _A, _E = SyncState, TableAction, TableEvent

_MOVING = (
    _S.FULL_ALLOWED,
    _S.FULL_RUNNING,
    _S.FULL_FINISHED,
    _S.INCREMENTAL_ALLOWED,
    _S.INCREMENTAL_RUNNING,
)
_POSITION_SETTABLE = (
    _S.UNINITIALIZED,
    _S.SUSPENDED,
    _S.ERROR,
    _S.FULL_ERROR,
    _S.INCREMENTAL_ERROR,
    _S.FULL_INFO_EXPIRED,
)
"""States in which the position can be set."""

TRANSITIONS: tuple[Transition, ...] = (
    Transition(_S.UNINITIALIZED, _E.RELEASED, _S.FULL_ALLOWED),
    Transition(_S.UNINITIALIZED, _E.PLACED, _S.INCREMENTAL_ALLOWED),
    Transition(_S.UNINITIALIZED, _E.FAILED, _S.ERROR),
    # The full load.
    Transition(_S.FULL_ALLOWED, _E.LOADING, _S.FULL_RUNNING),
    Transition(_S.FULL_ALLOWED, _E.FAILED, _S.FULL_ERROR),
    Transition(_S.FULL_ALLOWED, _E.EXPIRED, _S.FULL_INFO_EXPIRED),
    Transition(_S.FULL_RUNNING, _E.LOADED, _S.FULL_FINISHED),
    Transition(_S.FULL_RUNNING, _E.PLACED, _S.INCREMENTAL_ALLOWED),
    Transition(_S.FULL_RUNNING, _E.INTERRUPTED, _S.FULL_ALLOWED),
    Transition(_S.FULL_RUNNING, _E.LOCKED, _S.TABLE_LOCKED),
    Transition(_S.FULL_RUNNING, _E.FAILED, _S.FULL_ERROR),
    Transition(_S.FULL_RUNNING, _E.EXPIRED, _S.FULL_INFO_EXPIRED),
    # The changes.
    Transition(_S.INCREMENTAL_ALLOWED, _E.CAUGHT_UP, _S.INCREMENTAL_RUNNING),
    Transition(_S.INCREMENTAL_ALLOWED, _E.LOCKED, _S.TABLE_LOCKED),
    Transition(_S.INCREMENTAL_ALLOWED, _E.FAILED, _S.INCREMENTAL_ERROR),
    Transition(_S.INCREMENTAL_ALLOWED, _E.EXPIRED, _S.FULL_INFO_EXPIRED),
    Transition(_S.INCREMENTAL_RUNNING, _E.INTERRUPTED, _S.INCREMENTAL_ALLOWED),
    Transition(_S.INCREMENTAL_RUNNING, _E.LOCKED, _S.TABLE_LOCKED),
    Transition(_S.INCREMENTAL_RUNNING, _E.FAILED, _S.INCREMENTAL_ERROR),
    Transition(_S.INCREMENTAL_RUNNING, _E.EXPIRED, _S.FULL_INFO_EXPIRED),
    Transition(_S.TABLE_LOCKED, _E.UNLOCKED, _S.FULL_RUNNING),
    Transition(_S.TABLE_LOCKED, _E.UNLOCKED, _S.INCREMENTAL_RUNNING),
    Transition(_S.TABLE_LOCKED, _A.RESUME, _S.INCREMENTAL_ALLOWED),
    # Its service ended for good; after a new start it reads the table's state again.
    *(
        Transition(state, _E.DESERTED, _S.ERROR)
        for state in (
            _S.UNINITIALIZED,
            _S.FULL_ALLOWED,
            _S.FULL_RUNNING,
            _S.INCREMENTAL_ALLOWED,
            _S.INCREMENTAL_RUNNING,
            _S.TABLE_LOCKED,
        )
    ),
    Transition(_S.ERROR, _E.RELEASED, _S.FULL_ALLOWED),
    Transition(_S.ERROR, _E.PLACED, _S.INCREMENTAL_ALLOWED),
    # Actions. A table on hold is suspended as soon as its service has released it.
    *(Transition(state, _A.SUSPEND, _S.SUSPENDED) for state in SyncState),
    *(Transition(state, _A.RELOAD, _S.FULL_ALLOWED) for state in (*_MOVING, *_POSITION_SETTABLE[1:])),
    *(Transition(state, _A.RESET, _S.SUSPENDED) for state in _POSITION_SETTABLE),
    *(Transition(state, _A.RESET_START, _S.FULL_ALLOWED) for state in _POSITION_SETTABLE),
    *(Transition(state, _A.START_INCREMENTAL, _S.INCREMENTAL_ALLOWED) for state in _POSITION_SETTABLE),
    Transition(_S.ERROR, _A.RESUME, _S.UNINITIALIZED),
    Transition(_S.FULL_ERROR, _A.RESUME, _S.FULL_ALLOWED),
    Transition(_S.INCREMENTAL_ERROR, _A.RESUME, _S.INCREMENTAL_ALLOWED),
    Transition(_S.FULL_INFO_EXPIRED, _A.ACCEPT_GAP, _S.INCREMENTAL_ALLOWED),
)

TABLE_ACTIONS: Mapping[SyncState, tuple[TableAction, ...]] = {
    state: tuple(action for action in TableAction if any(t[:2] == (state, action) for t in TRANSITIONS))
    for state in SyncState
}
"""State → actions that it allows. A table that suspended itself also resumes by itself."""

WAITING = frozenset({_S.UNINITIALIZED, _S.FULL_ALLOWED, _S.INCREMENTAL_ALLOWED})
FAILED = ERROR_STATES | {_S.TABLE_LOCKED}
EXCEPTIONS = frozenset({_S.FULL_ERROR, _S.INCREMENTAL_ERROR})
"""States in which row errors can be processed."""
