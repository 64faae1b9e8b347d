"""The history of full loads."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "load_record",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=32), nullable=True),
        sa.Column("task_id", sa.String(length=32), nullable=True),
        sa.Column("link_name", sa.String(length=200), nullable=False),
        sa.Column("client_type", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("channel_name", sa.String(length=200), nullable=False),
        sa.Column("source_kind", sa.String(length=50), nullable=False),
        sa.Column("source_table", sa.String(length=300), nullable=False),
        sa.Column("target_kind", sa.String(length=50), nullable=False),
        sa.Column("target_table", sa.String(length=300), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("state_since", UtcTimestamp(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("queued_at", UtcTimestamp(), nullable=False),
        sa.Column("started_at", UtcTimestamp(), nullable=True),
        sa.Column("finished_at", UtcTimestamp(), nullable=True),
        sa.Column("caught_up_at", UtcTimestamp(), nullable=True),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_loaded", sa.BigInteger(), nullable=False),
        sa.Column("bytes_loaded", sa.BigInteger(), nullable=False),
        sa.Column("waiting_ms", sa.BigInteger(), nullable=True),
        sa.Column("loading_ms", sa.BigInteger(), nullable=True),
        sa.Column("paused_ms", sa.BigInteger(), nullable=False),
        sa.Column("catch_up_ms", sa.BigInteger(), nullable=True),
        sa.Column("rows_per_second", sa.Double(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("errors_counted", sa.BigInteger(), nullable=False),
        sa.Column("interruptions", sa.Integer(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_load_record_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_load_record")),
    )
    op.create_index(op.f("ix_load_record_table_id_generation"), "load_record", ["table_id", "generation"], unique=True)
    op.create_index(op.f("ix_load_record_tenant_id_queued_at"), "load_record", ["tenant_id", "queued_at"])
    op.create_index(op.f("ix_load_record_is_open_state_since"), "load_record", ["is_open", "state_since"])
