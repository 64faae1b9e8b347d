"""What services last reported to need of the bus."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("service", sa.Column("needs", JsonDocument(), nullable=True))
    op.add_column("service", sa.Column("needs_at", UtcTimestamp(), nullable=True))
