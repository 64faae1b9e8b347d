"""Running a saved SQL against a stored database, for an answer or for a file with its rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sql_management import databases, planned, saved
from zcbus.control.features.sql_management.running import without_passwords
from zcbus.control.features.task_plan.errors import PlanSqlChangedError
from zcbus.control.features.task_plan.job_input import JobInput, SqlJobInput
from zcbus.control.features.task_plan.jobs.base import JobCall, RunProgress, TableProgress, Verdict, judged, said
from zcbus.control.features.task_plan.states import RunState
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.protocol.base import Reason
from zcbus.protocol.statements import StatementOutcome

_RUN = authorise("resource/sqlManagement", Operation.OPERATE)


class _Sql:
    """Done when the statement has answered, and its rows are as expected. The database keeps it read-only."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        return (_RUN,)

    def admit(self, call: Call, given: JobInput) -> None:
        """Raises RecordNotFoundError, SqlNotOfferedError, ContainerUnknownError."""
        asked = _asked(given)
        saved.find(call.connection, call.principal, asked.statement)
        databases.find_in(call.connection, call, asked.database)

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        """Raises PlanSqlChangedError, and what `admit` raises."""
        asked = _asked(job.job)
        statement = saved.find(job.store, job.call.principal, asked.statement)
        _check_unchanged(job, statement)
        database = databases.find_in(job.store, job.call, asked.database)
        text = asked.statement_of(statement.statement, job.due_at)
        job.call.audit.subject = database.name
        job.call.audit.after = {
            "description": statement.description,
            "statement": without_passwords(text),
            **asked.model_dump(mode="json", by_alias=True, exclude={"statement"}),
        }
        file = _file_of(job)
        if file is not None:
            job.call.audit.after["file"] = file
        run_id = planned.begin(job.call, text, database, asked.row_limit, asked.time_limit_seconds * 1000, file)
        return RunProgress([_item(run_id, f"{statement.description} · {database.name}")])

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        [item] = tables
        found = planned.take_outcome(job.call, item["id"])
        if found is None:
            return RunProgress(tables)
        if isinstance(found, Reason):
            failed = judged(item, Verdict(False, found.code, found.facts))
            return RunProgress([failed], RunState.FAILED, found.model_dump())
        return _of_rows(job, item, found)

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        for one in tables:
            planned.cancel(job.call, one["id"])


def _asked(job: JobInput) -> SqlJobInput:
    if job.sql is None:
        raise RuntimeError(f"a job of type {job.type} runs no SQL")
    return job.sql


def _file_of(job: JobCall) -> str | None:
    return None if job.job.export is None else job.job.export.file_of(job.due_at)


def _item(run_id: str, name: str) -> TableProgress:
    return TableProgress(id=run_id, table=name, done=None, code="", facts={}, mark=0, again=True)


def _check_unchanged(job: JobCall, statement: Row[Any]) -> None:
    """What another user wrote afterwards does not run with the owner's rights."""
    own = statement.updated_by == job.call.principal.user_name[:50]
    if statement.updated_at > job.saved_at and not own:
        raise PlanSqlChangedError(name=statement.description, user=statement.updated_by)


def _of_rows(job: JobCall, item: TableProgress, found: StatementOutcome) -> RunProgress:
    count = len(found.rows) if found.written is None else found.written
    rows = f"{count}+" if found.more else str(count)
    outcome = said("plan-sql-done", rows=rows, ms=str(found.duration_ms))
    file = _file_of(job)
    if file is not None:
        outcome = said("plan-exported", rows=rows, file=file, bytes=str(found.file_bytes))
    is_expected = {"any": True, "some": count > 0, "none": count == 0}[_asked(job.job).expect]
    if is_expected:
        done = judged(item, Verdict(True, outcome["code"], outcome["facts"]))
        return RunProgress([done], RunState.SUCCEEDED, outcome=outcome)
    reason = said("plan-sql-rows-found", rows=rows) if count else said("plan-sql-no-rows")
    unexpected = judged(item, Verdict(False, reason["code"], reason["facts"], again=False))
    return RunProgress([unexpected], RunState.FAILED, reason, again=False, outcome=outcome)


SQL = _Sql()
