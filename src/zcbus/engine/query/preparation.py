"""Preparation of a data service's query with a caller's values."""

from zcbus.connectors.queries import Query, Value
from zcbus.connectors.registry import query_rules
from zcbus.kit.errors import TerminalError
from zcbus.model.query_text import QueryText, parse
from zcbus.protocol.data_service import ApiQuery


class ParameterUndeclared(TerminalError):
    """The query has a parameter that is not declared. Facts: name."""

    code = "api-parameter-undeclared"


def text_of(query: ApiQuery, kind: str) -> QueryText:
    """The query's text for a kind of database. Raises QueryRefused, ParameterUndeclared, RoleMissing."""
    text = parse(query.statement, query_rules(kind))
    declared = {parameter.name for parameter in query.parameters}
    for name in text.names:
        if name not in declared:
            raise ParameterUndeclared(name=name)
    return text


def query_of(query: ApiQuery, text: QueryText, values: dict[str, Value], rows: int, skip: int = 0) -> Query:
    """The query with values for all parameters, limited to its number of rows."""
    return Query(text, values, min(rows, query.row_limit), skip, query.timeout_ms)
