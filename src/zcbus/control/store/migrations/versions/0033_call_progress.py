"""Calls that take long tell how far they are."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "call_progress",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("step", sa.String(length=40)),
        sa.Column("step_begun_at", UtcTimestamp()),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("begun_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_progress")),
    )
    op.create_index(op.f("ix_call_progress_user_id_key"), "call_progress", ["user_id", "key"], unique=True)
    op.create_index(op.f("ix_call_progress_begun_at"), "call_progress", ["begun_at"], unique=False)
    # Not by a batch: on SQLite that makes the table anew.
    op.execute("ALTER TABLE agent_request ADD COLUMN done BIGINT DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE agent_request ADD COLUMN total BIGINT DEFAULT 0 NOT NULL")
