"""Task plans, their runs and their backfills."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, text

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

task_plan = Table(
    "task_plan",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("name", String(100), nullable=False),
    # In whose name runs are made: the user who saved the plan last. No foreign key: a plan outlives its owner, and its
    # runs then fail with that reason.
    Column("owner_id", String(ID_LENGTH), nullable=False),
    # A `task_plan.job_input.JobInput`.
    Column("job", JsonDocument, nullable=False),
    # The link that the job is about, if any; it may be deleted before the plan.
    Column("link_id", String(ID_LENGTH)),
    # 'cron', 'once' or 'after'.
    Column("trigger", String(10), nullable=False),
    Column("cron", String(100), nullable=False),
    # IANA name; cron's fields are read in it.
    Column("time_zone", String(64), nullable=False),
    Column("once_at", UtcTimestamp),
    # The plan that it follows, and when: on 'success', or on any 'end' of its runs.
    Column("after_id", String(ID_LENGTH)),
    Column("after_when", String(10), nullable=False, server_default="success"),
    # 'once' or 'skip': what happens with due times that no control plane was running for.
    Column("misfire", String(10), nullable=False),
    # 'skip' or 'queue': what becomes of a due time while a run is open.
    Column("overlap", String(10), nullable=False),
    Column("retries", Integer, nullable=False),
    Column("retry_seconds", Integer, nullable=False),
    Column("timeout_seconds", Integer, nullable=False),
    # How long after its due time a run that has not begun is late.
    Column("late_seconds", Integer, nullable=False),
    # How long after its due time a run that has begun and not ended is overdue; NULL: never.
    Column("overdue_seconds", Integer),
    Column("alerts", Boolean, nullable=False),
    Column("remark", String(200), nullable=False),
    Column("paused", Boolean, nullable=False),
    # The next due time; NULL: none, because it is paused or over.
    Column("next_at", UtcTimestamp),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id", "name", unique=True),
    Index(None, "next_at"),
    Index(None, "after_id"),
)

# One row for each due time and each request to run at once, also where nothing was run.
task_run = Table(
    "task_run",
    metadata,
    id_column(),
    Column("plan_id", String(ID_LENGTH), ForeignKey("task_plan.id", ondelete="CASCADE"), nullable=False),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    # 'schedule', 'manual', 'after' or 'backfill'.
    Column("origin", String(10), nullable=False),
    # The backfill that it belongs to; of the plan itself, or of the plan that it follows.
    Column("backfill_id", String(ID_LENGTH)),
    # The user who started a manual run.
    Column("asked_by", String(50)),
    Column("due_at", UtcTimestamp, nullable=False),
    # The plan's job and link as they were then.
    Column("job", JsonDocument, nullable=False),
    Column("link_id", String(ID_LENGTH)),
    # A `task_plan.states.RunState`.
    Column("state", String(20), nullable=False),
    Column("attempt", Integer, nullable=False),
    # When a queued run may begin.
    Column("available_at", UtcTimestamp, nullable=False),
    # Of the first attempt, of the present one, and of the last check.
    Column("started_at", UtcTimestamp),
    Column("attempt_started_at", UtcTimestamp),
    Column("looked_at", UtcTimestamp),
    Column("ended_at", UtcTimestamp),
    # {code, facts} of why it did not succeed, or of what it did; NULL: it did what was asked, or is not over.
    Column("reason", JsonDocument),
    # What became of each table, or other object: a list of `task_plan.jobs.base.TableProgress`.
    Column("tables", JsonDocument, nullable=False),
    Column("tables_done", Integer, nullable=False),
    Column("tables_total", Integer, nullable=False),
    # [{at, code, facts}], in order.
    Column("log", JsonDocument, nullable=False),
    # A due time is run once, whichever replica claims it.
    Index(None, "plan_id", "due_at", "origin", unique=True),
    Index(None, "tenant_id", "due_at"),
    Index(None, "backfill_id"),
    Index(
        "ix_task_run_open",
        "available_at",
        sqlite_where=text("state IN ('queued', 'running')"),
        postgresql_where=text("state IN ('queued', 'running')"),
    ),
    Index(None, "ended_at"),
)

# A request to run the past due times of a plan that nothing was run for.
task_backfill = Table(
    "task_backfill",
    metadata,
    id_column(),
    Column("plan_id", String(ID_LENGTH), ForeignKey("task_plan.id", ondelete="CASCADE"), nullable=False),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("asked_by", String(50), nullable=False),
    # The range of time that was asked for, both ends included.
    Column("first_at", UtcTimestamp, nullable=False),
    Column("last_at", UtcTimestamp, nullable=False),
    # Due times (ISO 8601, UTC) to run, the oldest first, as they were found when it was asked for.
    Column("times", JsonDocument, nullable=False),
    Column("total", Integer, nullable=False),
    # How many of them a run was made for, or were found to have one.
    Column("passed", Integer, nullable=False),
    # A `task_plan.states.BackfillState`.
    Column("state", String(20), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("ended_at", UtcTimestamp),
    Index(None, "plan_id"),
    # One at a time for each plan.
    Index(
        "ix_task_backfill_open",
        "plan_id",
        unique=True,
        sqlite_where=text("state = 'running'"),
        postgresql_where=text("state = 'running'"),
    ),
)
