"""Execution of statements: by the agent that reaches the database, and recorded in the history."""

import re
import time

from zcbus.control.features.sql_management import databases, history
from zcbus.control.features.sql_management.databases import Database
from zcbus.control.features.sql_management.schemas import SqlCommit, SqlRows, SqlRun
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.audit import HIDDEN
from zcbus.control.platform.call import Call
from zcbus.control.platform.progress import CallCancelledError
from zcbus.kit.errors import ZcbusError
from zcbus.protocol.base import Reason
from zcbus.protocol.statements import RunStatement, StatementMode, StatementOutcome

MORE_SECONDS = 15
"""For the way there and back, and for connecting."""
_PASSWORD = re.compile(
    r"(\b(?:password|identified\s+(?:with\s+\S+\s+|via\s+\S+\s+)?(?:by|using|as))\b\s*(?:=\s*)?(?:password\s*)?\(?\s*)"
    r"""(?:e?'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")""",
    re.IGNORECASE | re.DOTALL,
)


def run(call: Call, given: SqlRun) -> SqlRows:
    """Run a statement without a record. Raises what `databases.find` and `ask` raise. Cancelling the call ends the
    statement."""
    return _run(call, given, given.mode)


def commit(call: Call, given: SqlCommit) -> SqlRows:
    """Run a statement and commit it. Raises as `run`."""
    return _run(call, given, "change")


def _run(call: Call, given: SqlCommit, mode: StatementMode) -> SqlRows:
    database = databases.find(call, given.database_id)
    kept = given.model_copy(update={"statement": without_passwords(given.statement)})
    call.audit.subject, call.audit.after = database.name, kept.model_dump(mode="json", by_alias=True)
    run_id, began = _begin(call, kept, database, mode), time.monotonic()

    def end(result: history.RunResult, rows: int = 0, reason: Reason | None = None) -> None:
        plain = reason.model_dump() if reason is not None else None
        took = round((time.monotonic() - began) * 1000)
        history.end(call, run_id, result=result, rows=rows, reason=plain, duration_ms=took)

    try:
        outcome = _outcome(call, given, database, mode)
    except CallCancelledError:
        end("cancelled")
        raise
    except ZcbusError as error:
        facts = {name: str(value) for name, value in error.facts.items()}
        end("failed", reason=Reason(code=error.code, facts=facts))
        raise
    rows = len(outcome.rows) if outcome.affected is None or outcome.columns else outcome.affected
    end("done", rows)
    call.audit.after["rows"] = rows
    return SqlRows(
        columns=list(outcome.columns),
        rows=[list(row) for row in outcome.rows],
        more=outcome.more,
        affected=outcome.affected,
        duration_ms=outcome.duration_ms,
    )


def _begin(call: Call, kept: SqlCommit, database: Database, mode: StatementMode) -> str:
    """Nothing is run that is not in the operation log beforehand. Returns the run's id."""
    with call.services.database.write() as store:
        call.record_begun(store)
        return history.begin(
            store,
            call,
            database_id=kept.database_id,
            database_name=database.name[:200],
            statement=kept.statement,
            mode=mode,
        )


def _outcome(call: Call, given: SqlCommit, database: Database, mode: StatementMode) -> StatementOutcome:
    question = RunStatement(
        connection=database.connection,
        statement=given.statement,
        mode=mode,
        row_limit=given.row_limit,
        timeout_ms=given.timeout_ms,
    )
    seconds = given.timeout_ms // 1000 + MORE_SECONDS
    return ask(call.services, database.place, question, StatementOutcome, seconds, call.progress)


def without_passwords(statement: str) -> str:
    """A statement as it is stored: credentials of created and changed accounts are hidden."""
    return _PASSWORD.sub(rf"\1'{HIDDEN}'", statement)
