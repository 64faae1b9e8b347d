"""State of a full load, from the state of its table: what the history of loads keeps."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from zcbus.model.reduction import Origin
from zcbus.model.states import ERROR_STATES, SyncState

_S = SyncState


class LoadState(StrEnum):
    """States of a full load. A load that failed or was interrupted continues as the same load when its table does."""

    WAITING = "waiting"
    """Ordered; it waits for its service, the snapshot or a free loader."""
    RUNNING = "running"
    """Its rows are being loaded."""
    INTERRUPTED = "interrupted"
    """It has begun, and does not run now, or its agent is silent: whether it runs is not known then."""
    FAILED = "failed"
    """An error stopped it."""
    FINISHED = "finished"
    """All rows are in the target."""
    SUPERSEDED = "superseded"
    """A newer load of the table was ordered before it finished."""
    CANCELLED = "cancelled"
    """The table was removed before it finished."""


ENDED = frozenset({LoadState.FINISHED, LoadState.SUPERSEDED, LoadState.CANCELLED})
"""States that a load never leaves, except a cancelled one whose table is subscribed again."""

SILENT_AFTER = timedelta(seconds=60)
"""An agent that is silent for less counts as in contact: its loads continue meanwhile."""

_NOT_BEGUN = frozenset({_S.UNINITIALIZED, _S.SUSPENDED})


@dataclass(frozen=True, slots=True)
class LoadFacts:
    """Facts that determine the state of a table's desired load."""

    state: SyncState
    """The table's, as it is shown."""
    origin: Origin
    started: bool
    """Whether its first row may be in the target."""
    finished: bool
    loads: bool
    """Whether the desired generation begins with a full load."""
    silent: bool = False
    """Whether its agent has been silent for `SILENT_AFTER`."""


def has_load(facts: LoadFacts) -> bool:
    """Whether the table's state shows that its load was ordered."""
    return facts.loads and (facts.started or facts.finished or facts.state not in _NOT_BEGUN)


def load_state(facts: LoadFacts) -> LoadState:
    """The state of a load."""
    if facts.finished:
        return LoadState.FINISHED
    if facts.state is _S.FULL_RUNNING:
        return LoadState.INTERRUPTED if facts.silent else LoadState.RUNNING
    if facts.state in ERROR_STATES:
        return LoadState.FAILED
    is_held = facts.state in (_S.SUSPENDED, _S.TABLE_LOCKED) or facts.origin is Origin.SERVICE
    return LoadState.INTERRUPTED if facts.started and is_held else LoadState.WAITING


def milliseconds(begin: datetime | None, end: datetime | None) -> int | None:
    """Time between two moments, never negative: they may be of two hosts' clocks. None: one is not known."""
    return max(0, round(1000 * (end - begin).total_seconds())) if begin and end else None
