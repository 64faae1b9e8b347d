"""Names of published tables' columns, for the search."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "described_table",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("due_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["published_table.id"],
            name=op.f("fk_described_table_table_id_published_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_described_table")),
    )
    op.create_index(op.f("ix_described_table_due_at"), "described_table", ["due_at"])
    op.create_table(
        "published_column",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("folded", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["published_table.id"],
            name=op.f("fk_published_column_table_id_published_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "name", name=op.f("pk_published_column")),
    )
