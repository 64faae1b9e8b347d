"""Handling of alerts: acknowledged, assigned, muted; quiet hours of receivers; notices of several alerts."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("alert", sa.Column("acknowledged_time", UtcTimestamp(), nullable=True))
    op.add_column("alert", sa.Column("acknowledged_by", sa.String(length=100), nullable=True))
    op.add_column("alert", sa.Column("assignee_id", sa.String(length=32), nullable=True))
    op.add_column("alert", sa.Column("assignee_name", sa.String(length=100), nullable=True))
    op.add_column("alert", sa.Column("muted", sa.Boolean(), server_default="0", nullable=False))
    op.create_table(
        "alert_mute",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=True),
        sa.Column("object_id", sa.String(length=64), nullable=True),
        sa.Column("object_name", sa.String(length=200), nullable=False),
        sa.Column("until", UtcTimestamp(), nullable=False),
        sa.Column("created_by", sa.String(length=100), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_alert_mute_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_mute")),
    )
    op.create_index(op.f("ix_alert_mute_tenant_id"), "alert_mute", ["tenant_id"], unique=False)
    op.add_column("notice_receiver", sa.Column("quiet_from", sa.Integer(), nullable=True))
    op.add_column("notice_receiver", sa.Column("quiet_to", sa.Integer(), nullable=True))
    op.add_column("notice_receiver", sa.Column("quiet_zone", sa.String(length=64), nullable=True))
    op.add_column("notice_receiver", sa.Column("quiet_important", sa.Boolean(), server_default="0", nullable=False))
    op.add_column("notice_delivery", sa.Column("group_key", sa.String(length=100), nullable=True))
    op.add_column("notice_delivery", sa.Column("alerts", sa.Integer(), server_default="1", nullable=False))
    op.add_column("notice_delivery", sa.Column("held_until", UtcTimestamp(), nullable=True))
    op.create_index(
        op.f("ix_notice_delivery_receiver_id_created_at"),
        "notice_delivery",
        ["receiver_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "notice_alert",
        sa.Column("receiver_id", sa.String(length=32), nullable=False),
        sa.Column("alert_id", sa.String(length=32), nullable=False),
        sa.Column("delivery_id", sa.String(length=32), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"],
            ["notice_delivery.id"],
            name=op.f("fk_notice_alert_delivery_id_notice_delivery"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("receiver_id", "alert_id", name=op.f("pk_notice_alert")),
    )
    op.create_index(op.f("ix_notice_alert_delivery_id"), "notice_alert", ["delivery_id"], unique=False)
    op.execute(
        "INSERT INTO notice_alert (receiver_id, alert_id, delivery_id, what) "
        "SELECT receiver_id, alert_id, id, title FROM notice_delivery "
        "WHERE occasion = 'raised' AND alert_id IS NOT NULL"
    )
