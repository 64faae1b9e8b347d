"""Execution of saved statements without a waiting caller: asked, and looked after, in the transactions of a plan's run.

Nothing is kept in a process, so any control plane takes the answer.
"""

from zcbus.control.features.sql_management import history
from zcbus.control.features.sql_management.databases import Database
from zcbus.control.features.sql_management.running import MORE_SECONDS, without_passwords
from zcbus.control.platform import agent_requests
from zcbus.control.platform.call import Call
from zcbus.protocol.base import Reason
from zcbus.protocol.statements import RunStatement, StatementOutcome


def begin(
    call: Call, statement: str, database: Database, row_limit: int, timeout_ms: int, file: str | None = None
) -> str:
    """Have a statement run, which may only read. `file`: of the host, for the rows. Returns the id of its run in the
    history."""
    question = RunStatement(
        connection=database.connection,
        statement=statement,
        row_limit=row_limit,
        timeout_ms=timeout_ms,
        file=file,
    )
    seconds = timeout_ms // 1000 + MORE_SECONDS
    run_id = agent_requests.put_question(call.connection, call.services, database.place, question, seconds)
    named = {"database_id": database.id, "database_name": database.name[:200]}
    kept = without_passwords(statement)
    return history.begin(call.connection, call, run_id, statement=kept, mode=question.mode, **named)


def take_outcome(call: Call, run_id: str) -> StatementOutcome | Reason | None:
    """The result of a run once it is known, which is then in the history as well; None: wait."""
    found = agent_requests.take_answer(call.connection, call.services, run_id, StatementOutcome)
    if isinstance(found, StatementOutcome):
        rows = len(found.rows) if found.written is None else found.written
        history.end_in(call.connection, run_id, result="done", rows=rows, duration_ms=found.duration_ms)
    elif found is not None:
        history.end_in(call.connection, run_id, result="failed", reason=found.model_dump())
    return found


def cancel(call: Call, run_id: str) -> None:
    """Have the server end a run."""
    agent_requests.withdraw(call.connection, run_id)
    history.end_in(call.connection, run_id, result="cancelled")
