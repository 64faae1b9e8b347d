"""When retention takes what a table still needs, or its full data."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("published_table", "subscribed_table"):
        with op.batch_alter_table(name) as table:
            table.add_column(sa.Column("expires_at", UtcTimestamp(), nullable=True))
