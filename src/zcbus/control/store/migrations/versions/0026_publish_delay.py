"""How long the newest change of a published table took."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("published_table", sa.Column("delay_ms", sa.BigInteger()))
    op.add_column("published_table", sa.Column("last_change_at", UtcTimestamp()))
