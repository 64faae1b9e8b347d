"""Own alert rules; alerts that receivers are notified of again."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alert_rule",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("metric", sa.String(length=50), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=True),
        sa.Column("link_id", sa.String(length=32), nullable=True),
        sa.Column("service_id", sa.String(length=32), nullable=True),
        sa.Column("pattern", sa.String(length=200), nullable=False),
        sa.Column("comparison", sa.String(length=2), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("on_missing", sa.Boolean(), nullable=False),
        sa.Column("repeat_minutes", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("quiet_zone", sa.String(length=64), nullable=True),
        sa.Column("muted_until", UtcTimestamp(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("condition_since", UtcTimestamp(), nullable=False),
        sa.Column("subjects", sa.Integer(), nullable=True),
        sa.Column("missing", sa.Integer(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_by", sa.String(length=100), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_alert_rule_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_rule")),
    )
    op.create_index(op.f("ix_alert_rule_tenant_id_name"), "alert_rule", ["tenant_id", "name"], unique=True)
    op.create_table(
        "alert_rule_state",
        sa.Column("rule_id", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=600), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("since", UtcTimestamp(), nullable=True),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("fired_at", UtcTimestamp(), nullable=True),
        sa.Column("missing_since", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["rule_id"], ["alert_rule.id"], name=op.f("fk_alert_rule_state_rule_id_alert_rule"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("rule_id", "subject", name=op.f("pk_alert_rule_state")),
    )
    op.create_index(op.f("ix_alert_rule_state_state"), "alert_rule_state", ["state"], unique=False)
    op.create_table(
        "alert_rule_turn",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.BigInteger(), nullable=False),
        sa.Column("at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_rule_turn")),
    )
    op.add_column("alert", sa.Column("rule_id", sa.String(length=32), nullable=True))
    op.add_column("alert", sa.Column("notified_time", UtcTimestamp(), nullable=True))
    op.add_column("alert", sa.Column("repeats", sa.Integer(), server_default="0", nullable=False))
    op.add_column("notice_delivery", sa.Column("repetition", sa.Integer(), server_default="0", nullable=False))
    op.drop_index(op.f("ix_notice_delivery_receiver_id_alert_id_occasion"), table_name="notice_delivery")
    op.create_index(
        op.f("ix_notice_delivery_receiver_id_alert_id_occasion_repetition"),
        "notice_delivery",
        ["receiver_id", "alert_id", "occasion", "repetition"],
        unique=True,
    )
