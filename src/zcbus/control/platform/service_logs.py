"""Logs of services and of agents, searched where they are."""

from pydantic import Field

from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.schema import Schema
from zcbus.control.platform.services import Services
from zcbus.model.services import LogLevel
from zcbus.protocol.answers import LogLines
from zcbus.protocol.requests import SearchLog


class LogQuery(Schema):
    """Lines of a log: those that hold `text`, whatever its case, and are of at least this level."""

    text: str = Field("", max_length=200)
    level: LogLevel = "debug"
    lines: int = Field(1000, ge=1, le=5000)


class LogSearchResult(Schema):
    """The newest lines that match, the oldest first. `more`: older ones match as well."""

    lines: list[str]
    more: bool


def search(services: Services, destination: Destination, log: str, query: LogQuery) -> LogSearchResult:
    """Search the log of a service (its id) or of the agent (AGENT_LOG). Raises what `requests.ask` does."""
    question = SearchLog(service=log, text=query.text, level=query.level, lines=query.lines)
    answer = requests.ask(services, destination, question, LogLines)
    return LogSearchResult(lines=list(answer.lines), more=answer.more)
