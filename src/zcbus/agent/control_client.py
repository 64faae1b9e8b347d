"""HTTP client of the agent for the control plane."""

import ssl
from typing import Generic, TypeVar

import httpx
from pydantic import ValidationError

from zcbus.agent.identity import AgentTokens
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.protocol.agent import (
    EVENT_POLL_SECONDS,
    AgentEvents,
    EventRequest,
    Registered,
    Registration,
    SyncRequest,
    SyncResponse,
)
from zcbus.protocol.base import Message

M = TypeVar("M", bound=Message)

_ANSWER_SECONDS = 10.0
_SYNC_SECONDS = 30.0
"""Assembling the orders of thousands of tables takes a while on busy processors."""


class _Status(Message):
    """The status in every response of the control plane."""

    code: int = 0
    message: str = ""


class _Answer(Message, Generic[M]):
    """A response with its data. Parsed straight from bytes: orders of thousands of tables are large."""

    data: M


class ControlAway(TransientError):
    """The control plane does not answer. Facts: url, detail."""

    code = "control-away"


class AgentRefused(TerminalError):
    """The control plane rejects this agent's token. Facts: url."""

    code = "agent-refused"


class HostRemoved(AgentRefused):
    """This host was removed from its container: it must run no services. Facts: url."""

    code = "host-removed"


class ControlClient:
    """Calls of `zcbus.protocol.agent`."""

    def __init__(self, url: str, tokens: AgentTokens, trusted: ssl.SSLContext | bool) -> None:
        self._url = url.rstrip("/")
        self._tokens = tokens
        headers = {"source": "zcbus-agent", "Content-Type": "application/json"}
        self._http = httpx.AsyncClient(base_url=self._url, headers=headers, trust_env=False, verify=trusted)

    async def register(self, registration: Registration) -> Registered:
        """Register this agent. Raises ControlAway, AgentRefused."""
        return await self._post("/api/zcbus/agent/register", registration, _Answer[Registered])

    async def sync(self, request: SyncRequest) -> SyncResponse:
        """Send reports and receive orders; a new token replaces the old one. Raises ControlAway, AgentRefused."""
        response = await self._post("/api/zcbus/agent/sync", request, _Answer[SyncResponse], _SYNC_SECONDS)
        if response.token is not None:
            self._tokens.replace(response.token)
        return response

    async def wait_for_event(self, agent: str) -> bool:
        """Long-poll for events; false if there was none. Raises ControlAway, AgentRefused."""
        request, timeout_s = EventRequest(agent=agent), EVENT_POLL_SECONDS + _ANSWER_SECONDS
        return (await self._post("/api/zcbus/agent/news", request, _Answer[AgentEvents], timeout_s)).happened

    async def close(self) -> None:
        await self._http.aclose()

    async def _post(
        self, path: str, message: Message, answer: type[_Answer[M]], timeout_s: float = _ANSWER_SECONDS
    ) -> M:
        try:
            timeout = httpx.Timeout(timeout_s, connect=_ANSWER_SECONDS)
            response = await self._http.post(
                path,
                content=message.model_dump_json(),
                timeout=timeout,
                headers={"ZCBUS-TOKEN": self._tokens.current},
            )
        except httpx.HTTPError as error:
            raise ControlAway(url=self._url, detail=type(error).__name__) from error
        status = _status(response)
        if response.status_code in (401, 403) or status.code in (401, 40101, 40102, 40103):
            raise self._refusal(response)
        if response.status_code != 200 or status.code != 200:
            raise ControlAway(url=self._url, detail=f"{response.status_code} {status.message}")
        return answer.model_validate_json(response.content).data

    def _refusal(self, response: httpx.Response) -> TransientError | TerminalError:
        others = self._tokens.refused()
        if _fault(response) == HostRemoved.code:
            return HostRemoved(url=self._url)
        return ControlAway(url=self._url, detail="another token is tried") if others else AgentRefused(url=self._url)


def _fault(response: httpx.Response) -> str:
    """The error code in a response of the control plane."""
    try:
        data = response.json().get("data")
    except (ValueError, AttributeError):
        return ""
    return str(data.get("error", "")) if isinstance(data, dict) else ""


def _status(response: httpx.Response) -> _Status:
    try:
        return _Status.model_validate_json(response.content)
    except ValidationError:
        return _Status()
