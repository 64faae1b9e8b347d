"""Processor share, retries and bus traffic of services."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("service", sa.Column("cpu_percent", sa.Double(), nullable=True))
    op.add_column("service", sa.Column("retries", sa.BigInteger(), nullable=True))
    op.add_column("service", sa.Column("bus_bytes", sa.BigInteger(), nullable=True))
