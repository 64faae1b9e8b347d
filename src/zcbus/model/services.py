"""States of services, the actions that each allows, and the transitions between them.

Desired state (`DesiredState`) and observed state (`ServiceState` without `NORMAL` and `SOFTWARE_EXPIRED`) are
separate. `model.reduction.services` derives the state for users from both; the server enforces it and the console
enables its buttons by it. `docs/service-states.md` is generated from this table.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from zcbus.model.states import ServiceState

LogLevel = Literal["debug", "info", "warning", "error"]

ClientType = Literal["client", "databus", "stream"]
"""Types of customers.

A process transforms what it receives by ETL rules. Stream queries keep their results in the customer's
databases.
"""

ApplyingClient = Literal["client", "databus"]
"""Customers with masters and channels, which apply tables."""

ApplyingType = Literal["subscribe", "process"]
"""Services that apply tables to a target."""

SERVICE_OF_CLIENT: Mapping[ClientType, ApplyingType] = {"client": "subscribe", "databus": "process"}
"""Type of customer → type of the service that applies its tables."""

ONLY_TRANSFORMED: frozenset[ClientType] = frozenset({"databus"})
"""Customers that need an ETL rule for every table."""


class ServiceAction(StrEnum):
    """Actions of users on a service."""

    START = "start"
    STOP = "stop"
    """Drain, keep the position, end."""
    RESTART = "restart"
    FORCE_STOP = "force-stop"
    """Kill the process group at once. Nothing is lost: work that is not in the target is repeated."""
    EDIT = "edit"
    PLACE = "place"
    """Move to another host of its container, or restrict it to its own. A running service is stopped first."""
    TRANSFER = "transfer"
    """Move to another container."""
    DELETE = "delete"
    """Remove from its container; positions are kept."""


class ServiceEvent(StrEnum):
    """Events of a service."""

    TAKEN = "taken"
    """A host of the container has taken it."""
    MOVED = "moved"
    """Another host has taken it: the previous one has stopped it, or is gone."""
    WORKED = "worked"
    """Its process reported its first iteration."""
    PROGRESS = "progress"
    """The process has made progress within the last half minute, without obstacles."""
    NO_PROGRESS = "no-progress"
    """It waits for something external, or there is no contact with it."""
    ENDED = "ended"
    """The process ended on request."""
    CRASHED = "crashed"
    """The process ended, or was killed without progress; it restarts by itself after a pause."""
    CANNOT_RUN = "cannot-run"
    """It cannot start or continue until a person changes something."""
    TRIED_AGAIN = "tried-again"
    EXPIRED = "expired"
    """The installation's registration has expired."""
    RENEWED = "renewed"
    """The registration is valid again."""


class Transition(NamedTuple):
    """A transition between states, with its cause."""

    before: ServiceState
    cause: ServiceAction | ServiceEvent
    after: ServiceState


_S, _A, _E = ServiceState, ServiceAction, ServiceEvent
_RUNNING = (_S.STARTING, _S.STARTED, _S.NORMAL, _S.RESTARTING, _S.ABNORMAL)

TRANSITIONS: tuple[Transition, ...] = (
    # Stopped on request.
    Transition(_S.STOPPED, _A.START, _S.STARTING),
    Transition(_S.STOPPED, _A.START, _S.NOT_RUNNING),
    Transition(_S.STOPPED, _E.EXPIRED, _S.SOFTWARE_EXPIRED),
    # Desired to run, but not taken by any host.
    Transition(_S.NOT_RUNNING, _A.STOP, _S.STOPPED),
    Transition(_S.NOT_RUNNING, _E.TAKEN, _S.STARTING),
    # Stopped, and may not be started.
    Transition(_S.SOFTWARE_EXPIRED, _E.RENEWED, _S.STOPPED),
    Transition(_S.STARTING, _A.STOP, _S.STOPPING),
    Transition(_S.STARTING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STARTING, _A.RESTART, _S.RESTARTING),
    Transition(_S.STARTING, _E.WORKED, _S.STARTED),
    Transition(_S.STARTING, _E.CRASHED, _S.RESTARTING),
    Transition(_S.STARTING, _E.CANNOT_RUN, _S.ABNORMAL),
    # The process works; its progress is unknown, or something external is unavailable.
    Transition(_S.STARTED, _A.STOP, _S.STOPPING),
    Transition(_S.STARTED, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STARTED, _A.RESTART, _S.RESTARTING),
    Transition(_S.STARTED, _E.PROGRESS, _S.NORMAL),
    Transition(_S.STARTED, _E.CRASHED, _S.RESTARTING),
    Transition(_S.STARTED, _E.CANNOT_RUN, _S.ABNORMAL),
    # It makes progress.
    Transition(_S.NORMAL, _A.STOP, _S.STOPPING),
    Transition(_S.NORMAL, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.NORMAL, _A.RESTART, _S.RESTARTING),
    Transition(_S.NORMAL, _E.NO_PROGRESS, _S.STARTED),
    Transition(_S.NORMAL, _E.CRASHED, _S.RESTARTING),
    Transition(_S.NORMAL, _E.CANNOT_RUN, _S.ABNORMAL),
    # If a start is requested meanwhile, it starts again after its end.
    Transition(_S.STOPPING, _A.START, _S.STOPPING),
    Transition(_S.STOPPING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.STOPPING, _E.ENDED, _S.STOPPED),
    Transition(_S.STOPPING, _E.TRIED_AGAIN, _S.RESTARTING),
    Transition(_S.RESTARTING, _A.STOP, _S.STOPPING),
    Transition(_S.RESTARTING, _A.FORCE_STOP, _S.STOPPING),
    Transition(_S.RESTARTING, _A.RESTART, _S.RESTARTING),
    Transition(_S.RESTARTING, _E.WORKED, _S.STARTED),
    Transition(_S.RESTARTING, _E.CANNOT_RUN, _S.ABNORMAL),
    # Desired to run, but it cannot; a start request retries at once.
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
    # Only while it cannot have a process.
    *(Transition(state, _A.TRANSFER, state) for state in (_S.STOPPED, _S.SOFTWARE_EXPIRED, _S.NOT_RUNNING)),
    *(Transition(state, _A.DELETE, state) for state in (_S.STOPPED, _S.SOFTWARE_EXPIRED)),
)

ACTIONS: Mapping[ServiceState, tuple[ServiceAction, ...]] = {
    state: tuple(action for action in ServiceAction if any(t[:2] == (state, action) for t in TRANSITIONS))
    for state in ServiceState
}
"""State → actions that it allows."""

AT_REST = frozenset({_S.STOPPED, _S.NOT_RUNNING})
"""Observed states without a process."""
ENDED = frozenset({_S.STOPPED, _S.SOFTWARE_EXPIRED})
"""States of a service that is not to run and has no process."""
WITHOUT_PROCESS = ENDED | {_S.NOT_RUNNING}
"""States of a service without a process, whatever its order is."""
AT_WORK = frozenset({_S.STARTED, _S.NORMAL})
"""States of a service whose process works."""
TROUBLED = frozenset({_S.ABNORMAL, _S.RESTARTING})
"""States that have a reason of the agent's own: the process ended."""
DOWN_UNTIL_CHANGED = AT_REST | {_S.ABNORMAL}
"""Observed states without a process until a person changes something."""

BLOCKED_OR_DOWN = frozenset({_S.STARTING, _S.STARTED, _S.RESTARTING, _S.ABNORMAL})
"""Desired to run but without known progress: the reported reason explains why."""
