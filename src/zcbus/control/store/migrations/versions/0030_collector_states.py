"""Whether control planes and services reach their collector of OpenTelemetry."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "metric_export",
        sa.Column("instance", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("collector", sa.String(length=500), nullable=False),
        sa.Column("tried_at", UtcTimestamp(), nullable=False),
        sa.Column("failing_since", UtcTimestamp(), nullable=True),
        sa.Column("failure", sa.String(length=400), nullable=True),
        sa.PrimaryKeyConstraint("instance", name=op.f("pk_metric_export")),
    )
    op.add_column("service", sa.Column("traces", JsonDocument(), nullable=True))
