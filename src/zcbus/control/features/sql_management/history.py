"""Each user's own history of statements, kept for a while. The operation log records them as well."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from zcbus.control.features.sql_management.schemas import RUNS, RunResult, SqlRunPageRequest, SqlRunRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.sql_management import sql_run
from zcbus.kit.ids import new_id

__all__ = ["RunResult", "begin", "end", "listing", "remove_old"]

KEPT_DAYS = 30
_LONGEST = timedelta(minutes=15)
"""No statement runs that long (`SqlCommit.timeout_ms`)."""
_AT_ONCE = 1_000


def listing(call: Call, request: SqlRunPageRequest) -> Listing[SqlRunRecord]:
    """The caller's own runs, the newest first."""
    texts = ReasonTexts.of(call)
    statement = select(sql_run).where(sql_run.c.user_id == call.principal.user_id)
    if request.search.strip():
        searched = (sql_run.c.statement, sql_run.c.database_name)
        statement = statement.where(any_contains(searched, request.search.strip()))
    over = call.services.clock.now() - _LONGEST
    usual = [sql_run.c.ran_at.desc(), sql_run.c.id.desc()]
    return Listing(RUNS, statement, usual, lambda row: _record(row, texts, over))


def begin(store: Connection, call: Call, run_id: str | None = None, **values: Any) -> str:
    """Note that the caller runs something. Returns the run's id, a new one where none is given."""
    run_id = run_id or new_id()
    store.execute(
        sql_run.insert().values(
            id=run_id,
            tenant_id=call.principal.tenant_id,
            user_id=call.principal.user_id,
            ran_at=call.services.clock.now(),
            result="running",
            rows=0,
            duration_ms=0,
            **values,
        )
    )
    return run_id


def end(call: Call, run_id: str, **values: Any) -> None:
    """Store the result of a run, in a transaction of its own."""
    with call.services.database.write() as store:
        end_in(store, run_id, **values)


def end_in(store: Connection, run_id: str, **values: Any) -> None:
    """As `end`, in a transaction."""
    store.execute(update(sql_run).where(sql_run.c.id == run_id).values(**values))


def remove_old(services: Services) -> None:
    """Forget runs after KEPT_DAYS, some at a time. Doing it twice at once is harmless."""
    limit = services.clock.now() - timedelta(days=KEPT_DAYS)
    old = select(sql_run.c.id).where(sql_run.c.ran_at < limit).limit(_AT_ONCE)
    removed = _AT_ONCE
    while removed == _AT_ONCE:
        with services.database.write() as store:
            removed = store.execute(delete(sql_run).where(sql_run.c.id.in_(old))).rowcount


def _record(row: Row[Any], texts: ReasonTexts, over: datetime) -> SqlRunRecord:
    shown = {name: getattr(row, name) for name in SqlRunRecord.model_fields if name not in ("reason", "result")}
    # The platform ended while the statement ran.
    result: RunResult = "unknown" if row.result == "running" and row.ran_at < over else row.result
    return SqlRunRecord(reason=texts.record(row.reason), result=result, **shown)
