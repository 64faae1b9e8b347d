"""The agent's side of its talk with the control plane."""

import ssl
from typing import Generic, TypeVar

import httpx
from pydantic import ValidationError

from zcbus.agent.identity import AgentTokens
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.protocol.agent import NEWS_SECONDS, News, NewsRequest, Registered, Registration, SyncRequest, SyncResponse
from zcbus.protocol.base import Message

M = TypeVar("M", bound=Message)

_ANSWER_SECONDS = 10.0
_SYNC_SECONDS = 30.0
"""Orders of thousands of tables take a while to put together where the processors are busy."""


class _Said(Message):
    """What every answer of the control plane has."""

    code: int = 0
    message: str = ""


class _Answer(Message, Generic[M]):
    """An answer with what was asked for. Read straight from its bytes: orders of thousands of tables are large."""

    data: M


class ControlAway(TransientError):
    """The control plane does not answer. Facts: url, detail."""

    code = "control-away"


class AgentRefused(TerminalError):
    """The control plane does not take this agent's token. Facts: url."""

    code = "agent-refused"


class HostRemoved(AgentRefused):
    """This host was removed from its container: nothing is to run on it any more. Facts: url."""

    code = "host-removed"


class ControlClient:
    """Calls of `zcbus.protocol.agent`."""

    def __init__(self, url: str, tokens: AgentTokens, trusted: ssl.SSLContext | bool) -> None:
        self._url = url.rstrip("/")
        self._tokens = tokens
        headers = {"source": "zcbus-agent", "Content-Type": "application/json"}
        self._http = httpx.AsyncClient(base_url=self._url, headers=headers, trust_env=False, verify=trusted)

    async def register(self, registration: Registration) -> Registered:
        """Introduce this agent. Raises ControlAway, AgentRefused."""
        return await self._post("/api/zcbus/agent/register", registration, _Answer[Registered])

    async def sync(self, request: SyncRequest) -> SyncResponse:
        """Tell and ask; a new token is used from then on. Raises ControlAway, AgentRefused."""
        response = await self._post("/api/zcbus/agent/sync", request, _Answer[SyncResponse], _SYNC_SECONDS)
        if response.token is not None:
            self._tokens.replace(response.token)
        return response

    async def news(self, agent: str) -> bool:
        """Wait for something new; false: there was none for a while. Raises ControlAway, AgentRefused."""
        request, patience = NewsRequest(agent=agent), NEWS_SECONDS + _ANSWER_SECONDS
        return (await self._post("/api/zcbus/agent/news", request, _Answer[News], patience)).happened

    async def close(self) -> None:
        await self._http.aclose()

    async def _post(
        self, path: str, message: Message, answer: type[_Answer[M]], patience: float = _ANSWER_SECONDS
    ) -> M:
        try:
            timeout = httpx.Timeout(patience, connect=_ANSWER_SECONDS)
            response = await self._http.post(
                path,
                content=message.model_dump_json(),
                timeout=timeout,
                headers={"ZCBUS-TOKEN": self._tokens.current},
            )
        except httpx.HTTPError as error:
            raise ControlAway(url=self._url, detail=type(error).__name__) from error
        said = _said(response)
        if response.status_code in (401, 403) or said.code in (401, 40101, 40102, 40103):
            raise self._refusal(response)
        if response.status_code != 200 or said.code != 200:
            raise ControlAway(url=self._url, detail=f"{response.status_code} {said.message}")
        return answer.model_validate_json(response.content).data

    def _refusal(self, response: httpx.Response) -> TransientError | TerminalError:
        others = self._tokens.refused()
        if _fault(response) == HostRemoved.code:
            return HostRemoved(url=self._url)
        return ControlAway(url=self._url, detail="another token is tried") if others else AgentRefused(url=self._url)


def _fault(response: httpx.Response) -> str:
    """What went wrong, as the control plane calls it."""
    try:
        data = response.json().get("data")
    except (ValueError, AttributeError):
        return ""
    return str(data.get("error", "")) if isinstance(data, dict) else ""


def _said(response: httpx.Response) -> _Said:
    try:
        return _Said.model_validate_json(response.content)
    except ValidationError:
        return _Said()
