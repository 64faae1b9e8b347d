"""How many refused rows a subscribed table may have, and how many it has."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("subscribed_table") as table:
        table.add_column(sa.Column("error_limit", sa.Integer(), server_default="100", nullable=False))
        for name in ("dml_skip", "ddl_skip", "skip_revision"):
            table.add_column(sa.Column(name, sa.Integer(), server_default="0", nullable=False))
        table.add_column(sa.Column("row_errors", sa.BigInteger(), server_default="0", nullable=False))
