"""Which control planes hold which master keys."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "key_holder",
        sa.Column("process_id", sa.String(length=32), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("key_ids", JsonDocument(), nullable=False),
        sa.Column("sealing", sa.String(length=64), nullable=False),
        sa.Column("reported_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("process_id", name=op.f("pk_key_holder")),
    )
