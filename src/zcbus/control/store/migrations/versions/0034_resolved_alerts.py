"""Who says that an alert is resolved."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("alert", sa.Column("resolved_time", UtcTimestamp(), nullable=True))
    op.add_column("alert", sa.Column("resolved_by", sa.String(length=100), nullable=True))
