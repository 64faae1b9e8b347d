"""Statements that people save, and what they ran."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sql_statement",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("description", sa.String(length=30), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("database_id", sa.String(length=32), nullable=False),
        sa.Column("updated_by", sa.String(length=50), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_sql_statement_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sql_statement")),
        sa.UniqueConstraint("tenant_id", "description", name=op.f("uq_sql_statement_tenant_id_description")),
    )
    op.create_table(
        "sql_run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("ran_at", UtcTimestamp(), nullable=False),
        sa.Column("database_id", sa.String(length=32), nullable=False),
        sa.Column("database_name", sa.String(length=200), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("mode", sa.String(length=10), nullable=False),
        sa.Column("result", sa.String(length=10), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_sql_run_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sql_run")),
    )
    op.create_index(op.f("ix_sql_run_user_id_ran_at"), "sql_run", ["user_id", "ran_at"])
    op.create_index(op.f("ix_sql_run_tenant_id"), "sql_run", ["tenant_id"])
    op.create_index(op.f("ix_sql_run_ran_at"), "sql_run", ["ran_at"])
