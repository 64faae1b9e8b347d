"""Counts of published tables' changes, and what became of them in each subscription."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_COUNTED = ("changes_skipped", "changes_filtered", "changes_refused", "changes_base", "changes_difference")


def upgrade() -> None:
    op.add_column("published_table", sa.Column("changes_epoch", sa.BigInteger(), nullable=True))
    op.add_column("published_table", sa.Column("changes", sa.BigInteger(), nullable=True))
    op.add_column("subscribed_table", sa.Column("changes_handled", sa.BigInteger(), nullable=True))
    op.add_column("subscribed_table", sa.Column("changes_epoch", sa.BigInteger(), nullable=True))
    op.add_column("subscribed_table", sa.Column("changes_compared_at", UtcTimestamp(), nullable=True))
    for name in _COUNTED:
        op.add_column("subscribed_table", sa.Column(name, sa.BigInteger(), server_default="0", nullable=False))
