"""Logs of services and of agents, searched where they are."""

from zcbus.control.features.container.schemas import LogQuery, LogSearchResult
from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform.agent_requests import Place
from zcbus.control.platform.services import Services
from zcbus.protocol.answers import LogLines
from zcbus.protocol.requests import SearchLog


def search(services: Services, place: Place, log: str, query: LogQuery) -> LogSearchResult:
    """Search the log of a service (its id) or of the agent (AGENT_LOG). Raises what `requests.ask` does."""
    question = SearchLog(service=log, text=query.text, level=query.level, lines=query.lines)
    answer = requests.ask(services, place, question, LogLines)
    return LogSearchResult(lines=list(answer.lines), more=answer.more)
