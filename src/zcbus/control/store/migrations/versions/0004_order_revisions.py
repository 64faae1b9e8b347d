"""Which orders an agent follows, and from which on a service's desired state holds."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, column in (("agent", "orders_revision"), ("service", "revision")):
        with op.batch_alter_table(name) as table:
            table.add_column(sa.Column(column, sa.BigInteger(), server_default="0", nullable=False))
