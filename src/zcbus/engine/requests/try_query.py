"""A query of an API, run once for its author."""

import time
from contextlib import closing

from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.query.asking import query_of, text_of
from zcbus.engine.query.values import values_of
from zcbus.protocol.data_service import QueryColumn, QueryRows, TryQuery

_MOST_ROWS = 100


def try_query(request: TryQuery, connectors: Connectors) -> QueryRows:
    """Its first rows. Raises what a caller would be told."""
    text = text_of(request.query, request.connection.kind)
    query = query_of(request.query, text, values_of(request.query.parameters, request.values), _MOST_ROWS)
    began = time.monotonic()
    with closing(connectors(request.connection.kind).query_runner(options_of(request.connection))) as runner:
        found = runner.run(query)
    return QueryRows(
        columns=tuple(QueryColumn(name=name, type=kind) for name, kind in found.columns),
        rows=tuple(found.rows),
        more=found.more,
        duration_ms=round((time.monotonic() - began) * 1000),
    )
