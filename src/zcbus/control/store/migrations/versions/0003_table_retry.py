"""Subscribed tables can be tried again one by one."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("subscribed_table") as table:
        table.add_column(sa.Column("retry", sa.Integer(), server_default="0", nullable=False))
