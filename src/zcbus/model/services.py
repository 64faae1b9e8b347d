"""The one table of what a service can be, what can be asked of it then, and what leads where.

Two things are kept apart: what somebody wants of a service (`DesiredState`) and what an agent sees of its process
(`ServiceState` without `NORMAL` and `SOFTWARE_EXPIRED`). `model.reduction.services` makes the one state of both that
people read, that the server enforces and that the console lights its buttons by. `docs/service-states.md` is made from
this table.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from zcbus.model.states import ServiceState

LogLevel = Literal["debug", "info", "warning", "error"]

ClientType = Literal["client", "databus", "stream"]
"""What a customer is: a subscriber, a process, which transforms what it receives by ETL rules, or real-time
computations, whose results are kept in its databases."""

ApplyingClient = Literal["client", "databus"]
"""Customers whose tables are applied, by masters and their channels."""

ApplyingType = Literal["subscribe", "process"]
"""Services that apply tables to a target."""

SERVICE_OF_CLIENT: Mapping[ClientType, ApplyingType] = {"client": "subscribe", "databus": "process"}
"""The type of the services that apply a customer's tables."""

ONLY_TRANSFORMED: frozenset[ClientType] = frozenset({"databus"})
"""Customers that take no table without an ETL rule."""


class ServiceAction(StrEnum):
    """What somebody can ask of a service."""

    START = "start"
    STOP = "stop"
    """Drain, keep the place, end."""
    RESTART = "restart"
    FORCE_STOP = "force-stop"
    """Kill the process group at once. Nothing is lost: what was not kept in the target is done again."""
    EDIT = "edit"
    PLACE = "place"
    """On another host of its container, or to stay on its own. Where it runs it is stopped first."""
    TRANSFER = "transfer"
    """To another container."""
    DELETE = "delete"
    """Out of its container; places are kept."""


class ServiceEvent(StrEnum):
    """What happens to a service by itself."""

    TAKEN = "taken"
    """A host of the container has it now."""
    MOVED = "moved"
    """Another host has it now: the one before has stopped it, or is gone."""
    WORKED = "worked"
    """Its process told of its first turn of work."""
    PROGRESS = "progress"
    """The process has made progress within the last half minute and nothing stands in its way."""
    NO_PROGRESS = "no-progress"
    """It waits for something outside, or has not been heard of."""
    ENDED = "ended"
    """The process ended as asked."""
    CRASHED = "crashed"
    """The process ended, or made no progress and was killed; it begins again by itself after a pause."""
    CANNOT_RUN = "cannot-run"
    """It cannot start or cannot go on until somebody changes something."""
    TRIED_AGAIN = "tried-again"
    EXPIRED = "expired"
    """The installation's registration is over."""
    RENEWED = "renewed"
    """The registration holds again."""


class Transition(NamedTuple):
    """From a state, by a cause, to a state."""

    before: ServiceState
    cause: ServiceAction | ServiceEvent
    after: ServiceState


_S, _A, _E = ServiceState, ServiceAction, ServiceEvent
_RUNNING = (_S.STARTING, _S.STARTED, _S.NORMAL, _S.RESTARTING, _S.ABNORMAL)

TRANSITIONS: tuple[Transition, ...] = (
    # Stands still, as asked.
    Transition(_S.STOPPED, _A.START, _S.STARTING),
    Transition(_S.STOPPED, _A.START, _S.NOT_RUNNING),
    Transition(_S.STOPPED, _E.EXPIRED, _S.SOFTWARE_EXPIRED),
    # Is to run, and no host has taken it.
    Transition(_S.NOT_RUNNING, _A.STOP, _S.STOPPED),
    Transition(_S.NOT_RUNNING, _E.TAKEN, _S.STARTING),
    # Stands still, and may not be started.
    Transition(_S.SOFTWARE_EXPIRED, _E.RENEWED, _S.STOPPED),
    Transition(_S.STARTING, _A.STOP, _S.STOPPING),
    Transition(_S.STARTING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STARTING, _A.RESTART, _S.RESTARTING),
    Transition(_S.STARTING, _E.WORKED, _S.STARTED),
    Transition(_S.STARTING, _E.CRASHED, _S.RESTARTING),
    Transition(_S.STARTING, _E.CANNOT_RUN, _S.ABNORMAL),
    # The process works; whether it gets on is not known, or something outside is away.
    Transition(_S.STARTED, _A.STOP, _S.STOPPING),
    Transition(_S.STARTED, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STARTED, _A.RESTART, _S.RESTARTING),
    Transition(_S.STARTED, _E.PROGRESS, _S.NORMAL),
    Transition(_S.STARTED, _E.CRASHED, _S.RESTARTING),
    Transition(_S.STARTED, _E.CANNOT_RUN, _S.ABNORMAL),
    # It gets on.
    Transition(_S.NORMAL, _A.STOP, _S.STOPPING),
    Transition(_S.NORMAL, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.NORMAL, _A.RESTART, _S.RESTARTING),
    Transition(_S.NORMAL, _E.NO_PROGRESS, _S.STARTED),
    Transition(_S.NORMAL, _E.CRASHED, _S.RESTARTING),
    Transition(_S.NORMAL, _E.CANNOT_RUN, _S.ABNORMAL),
    # Asked to run again meanwhile, it begins anew when it has ended.
    Transition(_S.STOPPING, _A.START, _S.STOPPING),
    Transition(_S.STOPPING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STOPPING, _E.ENDED, _S.STOPPED),
    Transition(_S.STOPPING, _E.TRIED_AGAIN, _S.RESTARTING),
    Transition(_S.RESTARTING, _A.STOP, _S.STOPPING),
    Transition(_S.RESTARTING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.RESTARTING, _A.RESTART, _S.RESTARTING),
    Transition(_S.RESTARTING, _E.WORKED, _S.STARTED),
    Transition(_S.RESTARTING, _E.CANNOT_RUN, _S.ABNORMAL),
    # Is to run and cannot; asking to start it tries at once.
    Transition(_S.ABNORMAL, _A.START, _S.RESTARTING),
    Transition(_S.ABNORMAL, _A.RESTART, _S.RESTARTING),
    Transition(_S.ABNORMAL, _A.STOP, _S.STOPPING),
    Transition(_S.ABNORMAL, _E.TRIED_AGAIN, _S.RESTARTING),
    *(Transition(state, _E.MOVED, _S.STARTING) for state in _RUNNING),
    Transition(_S.STOPPING, _E.MOVED, _S.STARTING),
    *(Transition(state, _A.EDIT, state) for state in ServiceState),
    *(Transition(state, _A.PLACE, state) for state in ServiceState),
    *(Transition(state, _A.PLACE, _S.STOPPING) for state in _RUNNING),
    Transition(_S.NOT_RUNNING, _A.PLACE, _S.STARTING),
    # Only while no process can be there.
    *(Transition(state, _A.TRANSFER, state) for state in (_S.STOPPED, _S.SOFTWARE_EXPIRED, _S.NOT_RUNNING)),
    *(Transition(state, _A.DELETE, state) for state in (_S.STOPPED, _S.SOFTWARE_EXPIRED)),
)

ACTIONS: Mapping[ServiceState, tuple[ServiceAction, ...]] = {
    state: tuple(action for action in ServiceAction if any(t[:2] == (state, action) for t in TRANSITIONS))
    for state in ServiceState
}
"""What can be asked of a service in each state."""

AT_REST = frozenset({_S.STOPPED, _S.NOT_RUNNING})
"""Observed: no process is there."""
STANDS_STILL = AT_REST | {_S.ABNORMAL}
"""Observed: nothing runs, and nothing will until somebody changes something."""

HELD_UP_OR_DOWN = frozenset({_S.STARTING, _S.STARTED, _S.RESTARTING, _S.ABNORMAL})
"""Is to run and does not get on, as far as is known: a reason that is told is why."""
