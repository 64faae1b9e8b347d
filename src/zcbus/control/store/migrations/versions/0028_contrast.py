"""Comparisons of subscribed tables with their source."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_FIGURES = ("rows_compared", "missing", "extra", "different", "unsettled", "not_checked", "repaired")


def upgrade() -> None:
    op.create_table(
        "contrast",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("master_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["master_id"], ["master.id"], name=op.f("fk_contrast_master_id_master"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_contrast_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contrast")),
        sa.UniqueConstraint("master_id", name=op.f("uq_contrast_master_id")),
        sa.UniqueConstraint("service_id", name=op.f("uq_contrast_service_id")),
    )
    op.create_table(
        "comparison",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("contrast_id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=20), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("repair", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcTimestamp(), nullable=False),
        sa.Column("reported_number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in _FIGURES),
        sa.Column("reported_repair", sa.Integer(), nullable=False),
        sa.Column("repair_state", sa.String(length=30), nullable=False),
        sa.Column("repair_reason", JsonDocument(), nullable=True),
        *(sa.Column(name, UtcTimestamp(), nullable=True) for name in ("started_at", "finished_at", "reported_at")),
        sa.ForeignKeyConstraint(
            ["contrast_id"], ["contrast.id"], name=op.f("fk_comparison_contrast_id_contrast"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["subscribed_table.id"],
            name=op.f("fk_comparison_table_id_subscribed_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("table_id", name=op.f("uq_comparison_table_id")),
    )
    op.create_index(op.f("ix_comparison_contrast_id"), "comparison", ["contrast_id"])
