"""Tables that were unbound keep their place for a while."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unbound_table",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("settings", JsonDocument(), nullable=False),
        sa.Column("unbound_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channel.id"], name=op.f("fk_unbound_table_channel_id_channel"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["published_table_id"],
            ["published_table.id"],
            name=op.f("fk_unbound_table_published_table_id_published_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unbound_table")),
    )
    op.create_index(op.f("ix_unbound_table_channel_id"), "unbound_table", ["channel_id"], unique=False)
    op.create_index(op.f("ix_unbound_table_published_table_id"), "unbound_table", ["published_table_id"], unique=False)
    op.create_index(op.f("ix_unbound_table_unbound_at"), "unbound_table", ["unbound_at"], unique=False)
