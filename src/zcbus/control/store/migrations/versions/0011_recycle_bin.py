"""Deleted objects that can be restored."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recycled_object",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("content", JsonDocument(), nullable=False),
        sa.Column("deleted_by", sa.String(length=50), nullable=False),
        sa.Column("deleted_at", UtcTimestamp(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_recycled_object_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recycled_object")),
    )
    op.create_index(op.f("ix_recycled_object_tenant_id_deleted_at"), "recycled_object", ["tenant_id", "deleted_at"])
    op.create_index(op.f("ix_recycled_object_expires_at"), "recycled_object", ["expires_at"])
