"""The history of schema changes; indexes for the timeline of a link."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "schema_change",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("source_table", sa.String(length=300), nullable=False),
        sa.Column("recorded_at", UtcTimestamp(), nullable=False),
        sa.Column("result", sa.String(length=10), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_schema_change_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schema_change")),
    )
    op.create_index(
        op.f("ix_schema_change_channel_id_recorded_at"), "schema_change", ["channel_id", "recorded_at"], unique=False
    )
    op.create_index(op.f("ix_schema_change_recorded_at"), "schema_change", ["recorded_at"], unique=False)
    op.create_index(
        op.f("ix_audit_record_subject_recorded_at"), "audit_record", ["subject", "recorded_at"], unique=False
    )
    op.create_index(op.f("ix_alert_link_id"), "alert", ["link_id"], unique=False)
    op.create_index(op.f("ix_load_record_link_id_queued_at"), "load_record", ["link_id", "queued_at"], unique=False)
