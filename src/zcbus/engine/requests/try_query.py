"""Trial run of a data service's query."""

import time
from contextlib import closing

from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.query.preparation import query_of, text_of
from zcbus.engine.query.values import values_of
from zcbus.protocol.data_service import QueryColumn, QueryRows, TryQuery

_MAX_ROWS = 100


def try_query(request: TryQuery, connectors: Connectors) -> QueryRows:
    """The query's first rows. Raises the errors that a caller would receive."""
    text = text_of(request.query, request.connection.kind)
    query = query_of(request.query, text, values_of(request.query.parameters, request.values), _MAX_ROWS)
    began = time.monotonic()
    with closing(connectors(request.connection.kind).query_runner(options_of(request.connection))) as runner:
        found = runner.run(query)
    return QueryRows(
        columns=tuple(QueryColumn(name=name, type=kind) for name, kind in found.columns),
        rows=tuple(found.rows),
        more=found.more,
        duration_ms=round((time.monotonic() - began) * 1000),
    )
