"""Texts of the platform's operator, read instead of the shipped ones."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "custom_text",
        sa.Column("text_key", sa.String(length=250), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("shipped", sa.Text(), nullable=False),
        sa.Column("updated_by", sa.String(length=50), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("text_key", "language", name=op.f("pk_custom_text")),
    )
