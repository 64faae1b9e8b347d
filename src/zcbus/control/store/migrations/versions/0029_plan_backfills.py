"""Backfills of task plans, and how long after its due time a run may end."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task_plan", sa.Column("overdue_seconds", sa.Integer(), nullable=True))
    op.add_column("task_run", sa.Column("backfill_id", sa.String(length=32), nullable=True))
    op.create_index(op.f("ix_task_run_backfill_id"), "task_run", ["backfill_id"])
    op.create_table(
        "task_backfill",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("plan_id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("asked_by", sa.String(length=50), nullable=False),
        sa.Column("first_at", UtcTimestamp(), nullable=False),
        sa.Column("last_at", UtcTimestamp(), nullable=False),
        sa.Column("times", JsonDocument(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("ended_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["task_plan.id"], ondelete="CASCADE", name=op.f("fk_task_backfill_plan_id_task_plan")
        ),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_task_backfill_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_backfill")),
    )
    op.create_index(op.f("ix_task_backfill_plan_id"), "task_backfill", ["plan_id"])
    is_open = sa.text("state = 'running'")
    op.create_index(
        "ix_task_backfill_open",
        "task_backfill",
        ["plan_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
