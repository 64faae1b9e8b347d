"""Since when a subscribed table has open row errors."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("subscribed_table", sa.Column("row_errors_since", UtcTimestamp()))
    op.execute("UPDATE subscribed_table SET row_errors_since = reported_at WHERE row_errors > 0")
