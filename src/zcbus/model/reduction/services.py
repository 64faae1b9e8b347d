"""A service's state, and what its process does for its tables, from its order and its agent's report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from zcbus.model.services import AT_REST
from zcbus.model.states import ChannelState, DesiredState, ServiceState

STALE_AFTER = timedelta(seconds=10)
"""What is older was not measured just now: agents sync twice a second."""
PROGRESS_FRESH = timedelta(seconds=30)

_S = ServiceState


class Worker(StrEnum):
    """What the process of a service does, as far as its tables and links depend on it."""

    UNKNOWN = "unknown"
    """The agent does not follow the newest order yet, so what it sees is no answer to it."""
    WORKING = "working"
    """It works, and nothing stands in its way."""
    DRAINING = "draining"
    """It works, and is about to end."""
    HELD_UP = "held-up"
    """It is there, and begins, waits for something outside, or has failed and ends."""
    COMING = "coming"
    """It begins, or begins again after a pause."""
    AT_REST = "at-rest"
    """There is none."""
    ENDED = "ended"
    """There is none, and it does not come back before somebody mends something."""


RUNS = frozenset({Worker.WORKING, Worker.DRAINING})
"""What is reported now holds now."""
GONE = frozenset({Worker.COMING, Worker.AT_REST, Worker.ENDED})
"""Surely nothing is applied or captured."""
STILL = frozenset({Worker.AT_REST, Worker.ENDED})
"""Nothing runs, and nothing is about to."""


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """What a service's state follows from."""

    desired: DesiredState
    observed: ServiceState
    """Of the process, as an agent saw it last."""
    taken: bool
    """An agent has it."""
    pending: bool
    """The agent does not follow the newest order yet, so `observed` is no answer to it."""
    report_state: str | None
    """What the process said last of itself (`protocol.reports.ServiceReport`); None: nothing."""
    progressing: bool
    """It made progress within the last half minute, and its agent is heard of."""
    expired: bool
    """The installation's registration is over."""


def is_stale(seen_at: datetime | None, now: datetime) -> bool:
    """Whether an agent has been silent for so long that its figures are no longer the present ones. What was seen in
    the future was seen before the clock was set back."""
    return seen_at is None or abs(now - seen_at) > STALE_AFTER


def is_progressing(progress_at: datetime | None, agent_seen_at: datetime | None, now: datetime) -> bool:
    """Whether a process got on within the last half minute and its agent is heard of."""
    is_fresh = progress_at is not None and abs(now - progress_at) <= PROGRESS_FRESH
    return is_fresh and not is_stale(agent_seen_at, now)


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
        # Whatever was asked of it since makes its agent try again.
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
    """What a service's process does for its tables."""
    if facts.pending:
        return Worker.UNKNOWN
    if facts.observed in _BY_OBSERVED:
        return _BY_OBSERVED[facts.observed]
    if facts.report_state not in ("running", "stopping"):
        return Worker.HELD_UP
    return Worker.WORKING if facts.observed is _S.STARTED else Worker.DRAINING


def channel_state(service: ServiceState, has_run: bool) -> ServiceState | ChannelState:
    """A channel's state: its service's, unless that stands still and no process of it was ever heard of."""
    if service in (_S.STOPPED, _S.SOFTWARE_EXPIRED) and not has_run:
        return ChannelState.NOT_ENABLED
    return service
