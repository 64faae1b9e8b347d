"""Asks several hosts at once."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from zcbus.control.features.log_search.sources import HostLogs
from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform.agent_requests import AgentAnsweredError, AgentSilentError, NoAgentError
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import BusinessError
from zcbus.control.platform.progress import CallCancelledError, Progress
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.log_search import MAX_LOGS, FindLogLines, FoundLogLines

_AT_ONCE = 16
_SECONDS = 15


@dataclass(frozen=True, slots=True)
class Asked:
    """What a host answered, or why it did not."""

    host: HostLogs
    found: FoundLogLines | None
    error: BusinessError | None = None


class _Shared(Progress):
    """Calls off all questions of a call with the first that learns of it."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._is_cancelled = progress, threading.Event()

    def check(self) -> None:
        if self._is_cancelled.is_set():
            raise CallCancelledError
        try:
            self._progress.check()
        except CallCancelledError:
            self._is_cancelled.set()
            raise


def ask_all(call: Call, hosts: Sequence[HostLogs], question: Callable[[HostLogs], FindLogLines]) -> list[Asked]:
    """Ask each host; one that is silent is listed and not waited for. Raises CallCancelledError, after which no host
    works on it any more. Must not be called inside a transaction."""
    shared = _Shared(call.progress)

    def ask(host: HostLogs) -> Asked:
        if is_stale(host.agent.heartbeat_at, call.services.clock.now()):
            return Asked(host, None, NoAgentError(container=host.agent.container_name, seconds=0))
        try:
            return Asked(host, ask_one(call, host, question(host), shared))
        except (NoAgentError, AgentSilentError, AgentAnsweredError) as error:
            return Asked(host, None, error)

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="log-search") as pool:
        return list(pool.map(ask, hosts))


def ask_one(call: Call, host: HostLogs, question: FindLogLines, progress: Progress) -> FoundLogLines:
    """Ask one host. Raises what `requests.ask` does."""
    return requests.ask(call.services, host.destination, question, FoundLogLines, _SECONDS, progress)


def logs_of(host: HostLogs) -> tuple[str, ...]:
    """The logs to name in a question."""
    return tuple(host.logs)[:MAX_LOGS]
