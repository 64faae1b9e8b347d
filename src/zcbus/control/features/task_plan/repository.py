"""Queries over task plans and their runs. Each carries the condition that hides other tenants' rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    ScalarSelect,
    Select,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from zcbus.control.features.task_plan.backfill_repository import (
    BACKFILL,
    newest_backfill,
    newest_of_plan,
    shown_columns,
)
from zcbus.control.features.task_plan.errors import PlanOwnerGoneError
from zcbus.control.features.task_plan.states import NOT_RUN, OPEN, RunState
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.sessions import find_account
from zcbus.control.store.live import announce
from zcbus.control.store.tables.identity import user
from zcbus.control.store.tables.policy import strategy
from zcbus.control.store.tables.sql_management import sql_statement
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan, task_run
from zcbus.kit.ids import new_id

_AT_ONCE = 1_000
_open_states = sorted(OPEN)

# Without the log and the results per table: both are long.
_RUN = tuple(column for column in task_run.c if column.name not in ("log", "tables"))
_followed = task_plan.alias("followed")
last_run = task_run.alias("last_run")
_left_run = task_run.alias("left_run")
_newest = (
    select(task_run.c.id)
    .where(task_run.c.plan_id == task_plan.c.id)
    .order_by(task_run.c.due_at.desc(), task_run.c.id.desc())
    .limit(1)
    .correlate(task_plan)
    .scalar_subquery()
)
_LAST = ("id", "state", "due_at", "started_at", "ended_at", "reason")
_newer_run = task_run.alias("newer_run")


def _sql_name(job: ColumnElement[Any]) -> ColumnElement[Any]:
    """Description of the saved SQL that a job runs; NULL: it runs none, or it is gone."""
    named = select(sql_statement.c.description).where(sql_statement.c.id == job["sql"].field("statement"))
    return named.scalar_subquery().label("sql_name")


def _policy_name(job: ColumnElement[Any]) -> ColumnElement[Any]:
    """Name of the policy that a job distributes; NULL: it distributes none, or it is gone."""
    named = select(strategy.c.product_name).where(strategy.c.id == job["distribution"].field("policy"))
    return named.scalar_subquery().label("policy_name")


def superseded() -> ColumnElement[bool]:
    """Of runs: a newer one was made. The newest says how the plan is, and keeps its alert."""
    newer = (
        _newer_run.c.plan_id == task_run.c.plan_id,
        _newer_run.c.due_at > task_run.c.due_at,
        _newer_run.c.ended_at.is_not(None),
        _newer_run.c.state.not_in(sorted(NOT_RUN)),
    )
    return exists().where(*newer).correlate(task_run)


def plans(principal: Principal) -> Select[Any]:
    """Plans with the names of their owner, of their link, of their saved SQL, of their policy and of the plan that
    they follow, their newest run (`last_…`), and their newest backfill (`backfill_…`)."""
    return (
        select(
            task_plan,
            user.c.user_name.label("owner_name"),
            sync_link.c.name.label("link_name"),
            _followed.c.name.label("after_name"),
            _sql_name(task_plan.c.job),
            _policy_name(task_plan.c.job),
            *(last_run.c[name].label(f"last_{name}") for name in _LAST),
            *shown_columns(),
        )
        .select_from(task_plan)
        .outerjoin(user, user.c.id == task_plan.c.owner_id)
        .outerjoin(sync_link, sync_link.c.id == task_plan.c.link_id)
        .outerjoin(_followed, _followed.c.id == task_plan.c.after_id)
        .outerjoin(last_run, last_run.c.id == _newest)
        .outerjoin(newest_backfill, newest_backfill.c.id == newest_of_plan())
        .where(principal.visible(task_plan.c.tenant_id))
    )


def find_plan(connection: Connection, principal: Principal, plan_id: str) -> Row[Any] | None:
    return connection.execute(plans(principal).where(task_plan.c.id == plan_id)).first()


def name_is_taken(connection: Connection, tenant_id: str, name: str, besides: str | None) -> bool:
    same = (task_plan.c.tenant_id == tenant_id, task_plan.c.name == name, task_plan.c.id != (besides or ""))
    return connection.execute(select(task_plan.c.id).where(*same)).first() is not None


def insert_plan(connection: Connection, **values: Any) -> str:
    plan_id = new_id()
    connection.execute(task_plan.insert().values(id=plan_id, **values))
    return plan_id


def change_plan(connection: Connection, plan_id: str, **values: Any) -> None:
    connection.execute(update(task_plan).where(task_plan.c.id == plan_id).values(**values))


def remove_plan(connection: Connection, plan_id: str) -> None:
    connection.execute(delete(task_plan).where(task_plan.c.id == plan_id))


def due_plans(connection: Connection, now: datetime) -> Sequence[str]:
    """Ids of plans whose time has come."""
    due = select(task_plan.c.id).where(task_plan.c.next_at <= now, ~task_plan.c.paused)
    return connection.execute(due.order_by(task_plan.c.next_at).limit(_AT_ONCE)).scalars().all()


def claim_plan(connection: Connection, plan_id: str, now: datetime) -> Row[Any] | None:
    """A plan whose time has come, locked until the transaction ends; None: another control plane claimed it."""
    due = (task_plan.c.id == plan_id, task_plan.c.next_at <= now, ~task_plan.c.paused)
    return connection.execute(select(task_plan).where(*due).with_for_update()).first()


def lock_plan(connection: Connection, plan_id: str) -> Row[Any]:
    """A plan, locked until the transaction ends."""
    return connection.execute(select(task_plan).where(task_plan.c.id == plan_id).with_for_update()).one()


def next_due(connection: Connection, principal: Principal, limit: int) -> Sequence[Row[Any, Any, Any]]:
    """Id, name and time of the plans that are due first."""
    due = select(task_plan.c.id, task_plan.c.name, task_plan.c.next_at)
    due = due.where(principal.visible(task_plan.c.tenant_id), task_plan.c.next_at.is_not(None), ~task_plan.c.paused)
    return connection.execute(due.order_by(task_plan.c.next_at, task_plan.c.id).limit(limit)).all()


def plans_after(connection: Connection, plan_id: str) -> Sequence[Row[Any]]:
    """Plans that follow a plan, by name."""
    following = select(task_plan).where(task_plan.c.after_id == plan_id)
    return connection.execute(following.order_by(task_plan.c.name)).all()


def open_runs(connection: Connection, plan_id: str) -> Sequence[Row[Any]]:
    """Runs of a plan that are queued or running."""
    query = select(*_RUN).where(task_run.c.plan_id == plan_id, task_run.c.state.in_(_open_states))
    return connection.execute(query).all()


def insert_run(connection: Connection, **values: Any) -> str:
    run_id = new_id()
    nothing: dict[str, Any] = {"attempt": 0, "tables": [], "tables_done": 0, "tables_total": 0}
    connection.execute(task_run.insert().values(id=run_id, **nothing, **values))
    announce(connection, "plan", {values["tenant_id"]})
    return run_id


def ready_runs(connection: Connection, now: datetime, due_before: datetime) -> Sequence[str]:
    """Ids of runs that may begin, and of running ones whose check is due; the oldest first."""
    ready = or_(
        and_(task_run.c.state == RunState.QUEUED, task_run.c.available_at <= now),
        and_(task_run.c.state == RunState.RUNNING, task_run.c.looked_at <= due_before),
    )
    query = select(task_run.c.id).where(ready, task_run.c.state.in_(_open_states))
    return connection.execute(query.order_by(task_run.c.due_at, task_run.c.id).limit(_AT_ONCE)).scalars().all()


def lock_run(connection: Connection, run_id: str) -> Row[Any] | None:
    """An open run, locked until the transaction ends; None: it is over."""
    query = select(task_run).where(task_run.c.id == run_id, task_run.c.state.in_(_open_states))
    return connection.execute(query.with_for_update()).first()


def change_run(connection: Connection, run_id: str, values: Mapping[str, Any]) -> None:
    changed = update(task_run).where(task_run.c.id == run_id).values(**values).returning(task_run.c.tenant_id)
    announce(connection, "plan", connection.execute(changed).scalars().all())


def running_of(connection: Connection, job_type: str) -> Sequence[str]:
    """Ids of running runs whose job is of a type."""
    is_of_type = task_run.c.job["type"].as_string() == job_type
    is_running = (task_run.c.state.in_(_open_states), task_run.c.state == RunState.RUNNING)
    query = select(task_run.c.id).where(*is_running, is_of_type)
    return connection.execute(query).scalars().all()


def owner_of(connection: Connection, plan_id: str) -> str:
    """The user in whose name a plan runs."""
    owner: str = connection.execute(select(task_plan.c.owner_id).where(task_plan.c.id == plan_id)).scalar_one()
    return owner


def require_owner(store: Connection, plan: Row[Any]) -> None:
    """Raise PlanOwnerGoneError where every run of the plan would fail by it."""
    if find_account(store, plan.owner_id) is None:
        raise PlanOwnerGoneError


def runs(principal: Principal, *, complete: bool = False) -> Select[Any]:
    """Runs with the names of their plan, their link, their saved SQL and their policy. `complete`: with their log and
    the results per table."""
    return (
        select(
            *(task_run.c if complete else _RUN),
            task_plan.c.name.label("plan_name"),
            sync_link.c.name.label("link_name"),
            _sql_name(task_run.c.job),
            _policy_name(task_run.c.job),
        )
        .join(task_plan, task_plan.c.id == task_run.c.plan_id)
        .outerjoin(sync_link, sync_link.c.id == task_run.c.link_id)
        .where(principal.visible(task_run.c.tenant_id))
    )


def find_run(connection: Connection, principal: Principal, run_id: str) -> Row[Any] | None:
    return connection.execute(runs(principal, complete=True).where(task_run.c.id == run_id)).first()


def remove_runs_before(connection: Connection, limit: datetime, most: int) -> int:
    """Forget runs that ended before `limit`, some at a time; returns how many. The newest of each plan stays."""
    old = select(task_run.c.id).where(task_run.c.ended_at < limit, superseded()).limit(most)
    return connection.execute(delete(task_run).where(task_run.c.id.in_(old))).rowcount


def alerting(connection: Connection) -> Sequence[Row[Any]]:
    """Plans of all tenants that raise alerts, with the newest run of each that was made and ended (`last_…`), the
    newest that was skipped where that is newer still (`left_…`), the due time of the oldest that is queued and
    never began (`waiting_since`), and that of the oldest that began and is open (`open_since`)."""
    waiting = _oldest_due(task_run.c.state == RunState.QUEUED, task_run.c.attempt == 0)
    begun = _oldest_due(task_run.c.state.in_(_open_states), task_run.c.attempt > 0)
    was_left = _left_run.c.state.in_(sorted(NOT_RUN))
    return connection.execute(
        select(
            task_plan,
            waiting.label("waiting_since"),
            begun.label("open_since"),
            *(last_run.c[name].label(f"last_{name}") for name in _LAST),
            *(_left_run.c[name].label(f"left_{name}") for name in _LAST),
        )
        .select_from(task_plan)
        .outerjoin(last_run, last_run.c.id == _newest_ended(task_run.c.state.not_in(sorted(NOT_RUN))))
        .outerjoin(_left_run, and_(_left_run.c.id == _newest_ended(), was_left))
        .where(task_plan.c.alerts)
    ).all()


def _oldest_due(*conditions: ColumnElement[bool]) -> ScalarSelect[datetime]:
    """Of runs for their own time: a run of a backfill stands for a time that is long over."""
    of_plan = (task_run.c.plan_id == task_plan.c.id, task_run.c.origin != BACKFILL)
    oldest = select(func.min(task_run.c.due_at)).where(*of_plan, *conditions)
    return oldest.correlate(task_plan).scalar_subquery()


def _newest_ended(*conditions: ColumnElement[bool]) -> ScalarSelect[str]:
    return (
        select(task_run.c.id)
        .where(task_run.c.plan_id == task_plan.c.id, task_run.c.ended_at.is_not(None), *conditions)
        .order_by(task_run.c.due_at.desc(), task_run.c.id.desc())
        .limit(1)
        .correlate(task_plan)
        .scalar_subquery()
    )
