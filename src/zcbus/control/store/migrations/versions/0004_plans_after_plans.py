"""Plans that follow another plan."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task_plan", sa.Column("after_id", sa.String(length=32), nullable=True))
    op.add_column("task_plan", sa.Column("after_when", sa.String(length=10), server_default="success", nullable=False))
    op.create_index(op.f("ix_task_plan_after_id"), "task_plan", ["after_id"], unique=False)
