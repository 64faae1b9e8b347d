"""The agent's side of its talk with the control plane."""

from typing import Generic, TypeVar

import httpx
from pydantic import ValidationError

from zcbus.kit.addresses import is_encrypted
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


class ControlClient:
    """Calls of `zcbus.protocol.agent`."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        headers = {"ZCBUS-TOKEN": token, "source": "zcbus-agent", "Content-Type": "application/json"}
        self._http = httpx.AsyncClient(base_url=self._url, headers=headers, trust_env=False, verify=is_encrypted(url))

    async def register(self, registration: Registration) -> Registered:
        """Introduce this agent. Raises ControlAway, AgentRefused."""
        return await self._post("/api/zcbus/agent/register", registration, _Answer[Registered])

    async def sync(self, request: SyncRequest) -> SyncResponse:
        """Tell and ask. Raises ControlAway, AgentRefused."""
        return await self._post("/api/zcbus/agent/sync", request, _Answer[SyncResponse], _SYNC_SECONDS)

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
            response = await self._http.post(path, content=message.model_dump_json(), timeout=timeout)
        except httpx.HTTPError as error:
            raise ControlAway(url=self._url, detail=type(error).__name__) from error
        said = _said(response)
        if response.status_code in (401, 403) or said.code in (401, 40101, 40102, 40103):
            raise AgentRefused(url=self._url)
        if response.status_code != 200 or said.code != 200:
            raise ControlAway(url=self._url, detail=f"{response.status_code} {said.message}")
        return answer.model_validate_json(response.content).data


def _said(response: httpx.Response) -> _Said:
    try:
        return _Said.model_validate_json(response.content)
    except ValidationError:
        return _Said()
