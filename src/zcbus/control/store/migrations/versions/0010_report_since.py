"""Since when a service has told its state."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("service") as table:
        table.add_column(sa.Column("report_since", UtcTimestamp(), nullable=True))
