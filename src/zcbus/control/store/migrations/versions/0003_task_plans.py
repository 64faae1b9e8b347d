"""Task plans and their runs."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "task_plan",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("job", JsonDocument(), nullable=False),
        sa.Column("link_id", sa.String(length=32), nullable=True),
        sa.Column("trigger", sa.String(length=10), nullable=False),
        sa.Column("cron", sa.String(length=100), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("once_at", UtcTimestamp(), nullable=True),
        sa.Column("misfire", sa.String(length=10), nullable=False),
        sa.Column("overlap", sa.String(length=10), nullable=False),
        sa.Column("retries", sa.Integer(), nullable=False),
        sa.Column("retry_seconds", sa.Integer(), nullable=False),
        sa.Column("timeout_seconds", sa.Integer(), nullable=False),
        sa.Column("late_seconds", sa.Integer(), nullable=False),
        sa.Column("alerts", sa.Boolean(), nullable=False),
        sa.Column("remark", sa.String(length=200), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("next_at", UtcTimestamp(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_task_plan_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_plan")),
    )
    op.create_index(op.f("ix_task_plan_next_at"), "task_plan", ["next_at"], unique=False)
    op.create_index(op.f("ix_task_plan_tenant_id_name"), "task_plan", ["tenant_id", "name"], unique=True)
    op.create_table(
        "task_run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("plan_id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("origin", sa.String(length=10), nullable=False),
        sa.Column("asked_by", sa.String(length=50), nullable=True),
        sa.Column("due_at", UtcTimestamp(), nullable=False),
        sa.Column("job", JsonDocument(), nullable=False),
        sa.Column("link_id", sa.String(length=32), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("available_at", UtcTimestamp(), nullable=False),
        sa.Column("started_at", UtcTimestamp(), nullable=True),
        sa.Column("attempt_started_at", UtcTimestamp(), nullable=True),
        sa.Column("looked_at", UtcTimestamp(), nullable=True),
        sa.Column("ended_at", UtcTimestamp(), nullable=True),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("tables", JsonDocument(), nullable=False),
        sa.Column("tables_done", sa.Integer(), nullable=False),
        sa.Column("tables_total", sa.Integer(), nullable=False),
        sa.Column("log", JsonDocument(), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["task_plan.id"], name=op.f("fk_task_run_plan_id_task_plan"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_task_run_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_run")),
    )
    op.create_index(op.f("ix_task_run_ended_at"), "task_run", ["ended_at"], unique=False)
    op.create_index(
        "ix_task_run_open",
        "task_run",
        ["available_at"],
        unique=False,
        sqlite_where=sa.text("state IN ('queued', 'running')"),
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )
    op.create_index(op.f("ix_task_run_plan_id_due_at_origin"), "task_run", ["plan_id", "due_at", "origin"], unique=True)
    op.create_index(op.f("ix_task_run_tenant_id_due_at"), "task_run", ["tenant_id", "due_at"], unique=False)
