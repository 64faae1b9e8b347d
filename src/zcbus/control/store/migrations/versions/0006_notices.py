"""Receivers of notices and deliveries to them."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notice_receiver",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("settings", JsonDocument(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("target", sa.String(length=500), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=True),
        sa.Column("min_level", sa.Integer(), nullable=False),
        sa.Column("recovery", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_notice_receiver_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_receiver")),
    )
    op.create_index(op.f("ix_notice_receiver_tenant_id_name"), "notice_receiver", ["tenant_id", "name"], unique=True)
    op.create_table(
        "notice_delivery",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("receiver_id", sa.String(length=32), nullable=False),
        sa.Column("receiver_name", sa.String(length=100), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("target", sa.String(length=500), nullable=False),
        sa.Column("alert_id", sa.String(length=32), nullable=True),
        sa.Column("occasion", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("customer_name", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", UtcTimestamp(), nullable=False),
        sa.Column("claimed_until", UtcTimestamp(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("ended_at", UtcTimestamp(), nullable=True),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_notice_delivery_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_delivery")),
    )
    op.create_index(op.f("ix_notice_delivery_ended_at"), "notice_delivery", ["ended_at"], unique=False)
    op.create_index(
        "ix_notice_delivery_open",
        "notice_delivery",
        ["receiver_id", "next_at"],
        unique=False,
        sqlite_where=sa.text("state IN ('waiting', 'sending')"),
        postgresql_where=sa.text("state IN ('waiting', 'sending')"),
    )
    op.create_index(
        op.f("ix_notice_delivery_receiver_id_alert_id_occasion"),
        "notice_delivery",
        ["receiver_id", "alert_id", "occasion"],
        unique=True,
    )
    op.create_index(
        op.f("ix_notice_delivery_tenant_id_created_at"), "notice_delivery", ["tenant_id", "created_at"], unique=False
    )
