"""One run of a statement of SQL management."""

import time
from contextlib import closing

from zcbus.connectors.queries import Found, Query
from zcbus.connectors.registry import query_rules
from zcbus.connectors.statements import Changed, Statement, StatementRunner
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.requests.statement_file import write_rows
from zcbus.engine.requests.watch import Watch
from zcbus.model.query_text import QueryText, parse
from zcbus.protocol.data_service import QueryColumn
from zcbus.protocol.statements import RunStatement, StatementOutcome

_MAX_EXACT = 2**53
"""Numbers beyond it lose digits in a browser."""


def run_statement(request: RunStatement, connectors: Connectors, watch: Watch) -> StatementOutcome:
    """Run the statement. A withdrawn request cancels it. Raises what StatementRunner raises, QueryRefused,
    RoleMissing, RequestWithdrawn, and what `write_rows` raises."""
    kind = request.connection.kind
    text = parse(request.statement, query_rules(kind)) if request.mode == "read" else None
    began = time.monotonic()
    with closing(connectors(kind).statement_runner(options_of(request.connection))) as runner:
        # Withdrawals reach answers that make progress.
        watch.reached(0, 1)
        watch.on_withdrawal(runner.cancel)
        changed = _run(runner, request, text)
        watch.on_withdrawal(None)
    found = changed.found or Found((), [], more=False)
    if request.file is not None:
        size = write_rows(found, request.connection.tenant, request.file)
        return StatementOutcome(written=len(found.rows), file_bytes=size, duration_ms=_since(began))
    return StatementOutcome(
        columns=tuple(QueryColumn(name=name, type=type_name) for name, type_name in found.columns),
        rows=tuple(tuple(map(_exact, row)) for row in found.rows),
        more=found.more,
        affected=changed.affected if request.mode == "change" else None,
        duration_ms=_since(began),
    )


def _run(runner: StatementRunner, request: RunStatement, text: QueryText | None) -> Changed:
    if text is not None:
        # Text with colons stays as written: this statement has no parameters.
        literal = QueryText((text.literal,), text.functions)
        return Changed(0, runner.run(Query(literal, {}, request.row_limit, timeout_ms=request.timeout_ms)))
    # A server accepts a semicolon after a statement, but not inside EXPLAIN.
    statement = Statement(request.statement.strip().rstrip(";"), request.row_limit, request.timeout_ms)
    return Changed(0, runner.explain(statement)) if request.mode == "plan" else runner.change(statement)


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _exact(value: object) -> object:
    return str(value) if isinstance(value, int) and abs(value) > _MAX_EXACT else value
