"""What operators say of a service, and the marks of the host that an agent runs on."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("service") as table:
        table.add_column(sa.Column("log_level", sa.String(length=10), server_default="info", nullable=False))
        table.add_column(sa.Column("remark", sa.String(length=200), server_default="", nullable=False))
        table.add_column(sa.Column("removed_at", UtcTimestamp(), nullable=True))
    with op.batch_alter_table("agent") as table:
        table.add_column(sa.Column("machine_code", sa.String(length=64), server_default="", nullable=False))
        table.add_column(sa.Column("serial_number", sa.String(length=100), server_default="", nullable=False))
