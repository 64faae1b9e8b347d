"""The one table of what a subscribed table can be, what can be asked of it then, and what leads where.

The state itself is worked out from the last report and from what is wanted (`control.features.subscribe.table_state`);
what can be asked follows from it here and in `table_verbs`, for the server, the console and `docs/table-states.md`.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from zcbus.model.states import ERROR_STATES, SyncState


class TableAction(StrEnum):
    """What can be done with one subscribed table while the others run on."""

    RELOAD = "reload"
    """Start full subscription."""
    SUSPEND = "suspend"
    RESUME = "resume"
    """Go on where it stood; what failed is tried again."""
    RESET = "reset"
    """Forget where it stands, and hold it."""
    RESET_START = "reset-start"
    START_INCREMENTAL = "start-incremental"
    """By time or offset; held back, this only sets the place."""
    ACCEPT_GAP = "accept-gap"
    """Go on without changes that nobody has any more."""


class TableEvent(StrEnum):
    """What happens to a subscribed table by itself."""

    RELEASED = "released"
    """Its service has looked at it: it is to be loaded, and waits for the snapshot or for a free loader."""
    PLACED = "placed"
    """Its service has looked at it: nothing is to be loaded, its place among the changes is known."""
    LOADING = "loading"
    LOADED = "loaded"
    """The last row is in the target, and no changes are wanted."""
    CAUGHT_UP = "caught-up"
    """It applies changes with the others of its channel."""
    INTERRUPTED = "interrupted"
    """Its service stopped or lost its databases; it goes on by itself."""
    LOCKED = "locked"
    """Somebody else holds the target table."""
    UNLOCKED = "unlocked"
    FAILED = "failed"
    """It cannot go on until somebody decides or repairs something."""
    DESERTED = "deserted"
    """Its service's process ended for good."""
    EXPIRED = "expired"
    """Retention has taken rows or changes that it still needed."""


class Transition(NamedTuple):
    """From a state, by a cause, to a state."""

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
_STANDING = (
    _S.UNINITIALIZED,
    _S.SUSPENDED,
    _S.ERROR,
    _S.FULL_ERROR,
    _S.INCREMENTAL_ERROR,
    _S.FULL_INFO_EXPIRED,
)
"""Positions are only changed while nothing moves them."""

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
    # Its service ends for good; started anew, it looks at the table again.
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
    # What can be asked of it. Held back, a table is suspended as soon as its service has put it down.
    *(Transition(state, _A.SUSPEND, _S.SUSPENDED) for state in SyncState),
    *(Transition(state, _A.RELOAD, _S.FULL_ALLOWED) for state in (*_MOVING, *_STANDING[1:])),
    *(Transition(state, _A.RESET, _S.SUSPENDED) for state in _STANDING),
    *(Transition(state, _A.RESET_START, _S.FULL_ALLOWED) for state in _STANDING),
    *(Transition(state, _A.START_INCREMENTAL, _S.INCREMENTAL_ALLOWED) for state in _STANDING),
    Transition(_S.ERROR, _A.RESUME, _S.UNINITIALIZED),
    Transition(_S.FULL_ERROR, _A.RESUME, _S.FULL_ALLOWED),
    Transition(_S.INCREMENTAL_ERROR, _A.RESUME, _S.INCREMENTAL_ALLOWED),
    Transition(_S.FULL_INFO_EXPIRED, _A.ACCEPT_GAP, _S.INCREMENTAL_ALLOWED),
)

TABLE_ACTIONS: Mapping[SyncState, tuple[TableAction, ...]] = {
    state: tuple(action for action in TableAction if any(t[:2] == (state, action) for t in TRANSITIONS))
    for state in SyncState
}
"""What can be asked of a table in each state. One that was suspended by itself is resumed by itself besides."""

WAITING = frozenset({_S.UNINITIALIZED, _S.FULL_ALLOWED, _S.INCREMENTAL_ALLOWED})
FAILED = ERROR_STATES | {_S.TABLE_LOCKED}
EXCEPTIONS = frozenset({_S.FULL_ERROR, _S.INCREMENTAL_ERROR})
"""Tables whose exceptions somebody can work off."""
