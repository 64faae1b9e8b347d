"""Statements as they are run: asked of the agent that reaches the database, and kept in the history."""

import time
from dataclasses import dataclass

from zcbus.control.features.sql_management import databases, history
from zcbus.control.features.sql_management.databases import Database
from zcbus.control.features.sql_management.schemas import SqlCommit, SqlRows, SqlRun
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.progress import CallCancelledError
from zcbus.kit.errors import ZcbusError
from zcbus.protocol.base import Reason
from zcbus.protocol.statements import RunStatement, StatementMode, StatementOutcome

_MORE_SECONDS = 15
"""For the way there and back, and for connecting."""


@dataclass(frozen=True, slots=True)
class _Run:
    database: Database
    given: SqlCommit
    mode: StatementMode
    began: float

    @property
    def duration_ms(self) -> int:
        return round((time.monotonic() - self.began) * 1000)


def run(call: Call, given: SqlRun) -> SqlRows:
    """Run a statement without leaving a trace. Raises what `databases.find` and `ask` raise. A call that is called off
    ends the statement."""
    return _run(call, given, given.mode)


def commit(call: Call, given: SqlCommit) -> SqlRows:
    """Run a statement and commit it. Raises as `run`."""
    return _run(call, given, "change")


def _run(call: Call, given: SqlCommit, mode: StatementMode) -> SqlRows:
    database = databases.find(call, given.database_id)
    call.audit.subject = database.name
    running = _Run(database, given, mode, time.monotonic())
    question = RunStatement(
        connection=database.connection,
        statement=given.statement,
        mode=mode,
        row_limit=given.row_limit,
        timeout_ms=given.timeout_ms,
    )
    seconds = given.timeout_ms // 1000 + _MORE_SECONDS
    try:
        outcome = ask(call.services, database.place, question, StatementOutcome, seconds, call.progress)
    except CallCancelledError:
        _keep(call, running, "cancelled", 0)
        raise
    except ZcbusError as error:
        facts = {name: str(value) for name, value in error.facts.items()}
        _keep(call, running, "failed", 0, Reason(code=error.code, facts=facts))
        raise
    rows = len(outcome.rows) if outcome.affected is None or outcome.columns else outcome.affected
    _keep(call, running, "done", rows)
    call.audit.after = {**given.model_dump(mode="json", by_alias=True), "rows": rows}
    return SqlRows(
        columns=list(outcome.columns),
        rows=[list(row) for row in outcome.rows],
        more=outcome.more,
        affected=outcome.affected,
        duration_ms=outcome.duration_ms,
    )


def _keep(call: Call, running: _Run, result: history.RunResult, rows: int, reason: Reason | None = None) -> None:
    history.keep(
        call,
        database_id=running.given.database_id,
        database_name=running.database.name[:200],
        statement=running.given.statement,
        mode=running.mode,
        result=result,
        rows=rows,
        duration_ms=running.duration_ms,
        reason=reason.model_dump() if reason is not None else None,
    )
