"""State of a service and of its process, from its order and its agent's report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from zcbus.model.services import AT_REST
from zcbus.model.states import ChannelState, DesiredState, ServiceState

STALE_AFTER = timedelta(seconds=10)
"""Age of outdated reports: agents sync twice a second."""
PROGRESS_FRESH = timedelta(seconds=30)

_S = ServiceState


class Worker(StrEnum):
    """State of a service's process, as far as its tables and links depend on it."""

    UNKNOWN = "unknown"
    """The agent has not applied the newest order yet, so its report does not reflect it."""
    WORKING = "working"
    """It works without obstacles."""
    DRAINING = "draining"
    """It works, and will end soon."""
    BLOCKED = "held-up"
    """It exists, but starts, waits for something external, or has failed and ends."""
    COMING = "coming"
    """It starts, or restarts after a pause."""
    AT_REST = "at-rest"
    """No process."""
    ENDED = "ended"
    """No process, and no restart until a person fixes the cause."""


RUNS = frozenset({Worker.WORKING, Worker.DRAINING})
"""States in which reports are current."""
NOT_WORKING = frozenset({Worker.COMING, Worker.AT_REST, Worker.ENDED})
"""States in which nothing is applied or captured."""
EXPLAINED_BY_AGENT = frozenset({Worker.COMING, Worker.ENDED})
"""States without a process that works, of which the agent reports the reason; of `BLOCKED` the process does."""
STILL = frozenset({Worker.AT_REST, Worker.ENDED})
"""States without a process now and soon."""


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """Facts that determine a service's state."""

    desired: DesiredState
    observed: ServiceState
    """State of the process in the agent's last report."""
    taken: bool
    """Whether it is assigned to an agent."""
    pending: bool
    """The agent has not applied the newest order yet, so `observed` does not reflect it."""
    report_state: str | None
    """State in the process's last report (`protocol.reports.ServiceReport`); None: no report."""
    progressing: bool
    """Whether it made progress within the last half minute and its agent is in contact."""
    expired: bool
    """Whether the installation's registration has expired."""


def is_stale(contact_at: datetime | None, now: datetime) -> bool:
    """Whether an agent has been silent for so long that its figures are no longer the present ones. What was seen in
    the future was seen before the clock was set back."""
    return contact_at is None or abs(now - contact_at) > STALE_AFTER


def is_progressing(progress_at: datetime | None, agent_contact_at: datetime | None, now: datetime) -> bool:
    """Whether a process made progress within the last half minute and its agent is in contact."""
    is_fresh = progress_at is not None and abs(now - progress_at) <= PROGRESS_FRESH
    return is_fresh and not is_stale(agent_contact_at, now)


_HELD_UP_IN = frozenset({_S.STARTING.value, _S.STARTED.value, _S.NORMAL.value})
"""`normal` holds for half a minute after the last progress; a reason that came since then counts."""


def is_held_up(state: str, reason: object | None, *, stale: bool = False) -> bool:
    """Whether a service, or what is in a service's state (channel, node, link), is to work, but a reported reason
    prevents it. `state`: the one that is shown. `stale`: the reason is an old report's, which says nothing of now."""
    return state in _HELD_UP_IN and reason is not None and not stale


def service_state(facts: ServiceFacts) -> ServiceState:
    """The state of a service."""
    at_rest = facts.observed in AT_REST
    if facts.desired is not DesiredState.RUNNING:
        if facts.pending or not at_rest:
            return _S.STOPPING
        return _S.SOFTWARE_EXPIRED if facts.expired else _S.STOPPED
    if at_rest:
        return _S.STARTING if facts.taken else _S.NOT_RUNNING
    if facts.observed is _S.ABNORMAL and facts.pending:
        # Any new order makes its agent try again.
        return _S.RESTARTING
    if facts.progressing and facts.report_state == "running" and worker_of(facts) is Worker.WORKING:
        return _S.NORMAL
    return facts.observed


_BY_OBSERVED: Mapping[ServiceState, Worker] = {
    _S.STARTING: Worker.COMING,
    _S.RESTARTING: Worker.COMING,
    _S.STOPPED: Worker.AT_REST,
    _S.NOT_RUNNING: Worker.AT_REST,
    _S.ABNORMAL: Worker.ENDED,
}


def worker_of(facts: ServiceFacts) -> Worker:
    """The state of a service's process for its tables."""
    if facts.pending:
        return Worker.UNKNOWN
    if facts.observed in _BY_OBSERVED:
        return _BY_OBSERVED[facts.observed]
    if facts.report_state not in ("running", "stopping"):
        return Worker.BLOCKED
    return Worker.WORKING if facts.observed is _S.STARTED else Worker.DRAINING


def channel_state(service: ServiceState, has_run: bool) -> ServiceState | ChannelState:
    """A channel's state: its service's, unless that is stopped and never had a process."""
    if service in (_S.STOPPED, _S.SOFTWARE_EXPIRED) and not has_run:
        return ChannelState.NOT_ENABLED
    return service
