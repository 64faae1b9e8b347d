"""Statements that an author may write, and their trial runs."""

from zcbus.connectors.registry import query_rules
from zcbus.control.features.container import service as containers
from zcbus.control.features.data_service import data_services, groups
from zcbus.control.features.data_service.errors import (
    DefaultRefusedError,
    ParameterNotDeclaredError,
    ParameterNotUsedError,
    ParameterTwiceError,
    StatementRefusedError,
)
from zcbus.control.features.data_service.schemas import ApiDraft, ApiTrial, TrialRows
from zcbus.control.features.datasource import connections
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.engine.query.values import ParameterRefused, check_default
from zcbus.model.query_text import QueryRefused, parse
from zcbus.protocol.data_service import ApiQuery, QueryRows, TryQuery

_MORE_SECONDS = 10


def check(draft: ApiDraft, kind: str) -> None:
    """Hold a statement and its parameters against each other. Raises StatementRefusedError, ParameterTwiceError,
    ParameterNotDeclaredError, ParameterNotUsedError, DefaultRefusedError."""
    try:
        used = parse(draft.statement, query_rules(kind)).names
    except QueryRefused as error:
        raise StatementRefusedError(**error.facts) from error
    declared = [parameter.name for parameter in draft.parameters]
    for name in declared:
        if declared.count(name) > 1:
            raise ParameterTwiceError(name=name)
        if name not in used:
            raise ParameterNotUsedError(name=name)
    for name in used:
        if name not in declared:
            raise ParameterNotDeclaredError(name=name)
    for parameter in draft.parameters:
        try:
            check_default(parameter)
        except ParameterRefused as error:
            raise DefaultRefusedError(**error.facts) from error


def try_out(call: Call, trial: ApiTrial) -> TrialRows:
    """Run a draft where its data service runs. Raises RecordNotFoundError and what `check` and `ask` raise."""
    with call.services.database.read() as store:
        group = groups.find(store, call.principal, trial.group_id)
        check(trial, group.kind)
        service = data_services.find(store, call.principal, group.data_service_id)
        destination = containers.destination_of_service(store, service.service_id)
        connection = connections.open_stored(store, call.services.secrets, group.data_source_id)
    query = query_of(trial, group.data_source_id)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in trial.values.items()}
    question = TryQuery(connection=connection, query=query, values=values)
    found = ask(call.services, destination, question, QueryRows, seconds=trial.timeout_ms // 1000 + _MORE_SECONDS)
    return TrialRows(
        columns=list(found.columns),
        rows=[list(row) for row in found.rows],
        more=found.more,
        duration_ms=found.duration_ms,
    )


def query_of(draft: ApiDraft, source: str) -> ApiQuery:
    """A draft or a version over a data source."""
    return ApiQuery(
        source=source,
        statement=draft.statement,
        parameters=tuple(draft.parameters),
        row_limit=draft.row_limit,
        timeout_ms=draft.timeout_ms,
    )
