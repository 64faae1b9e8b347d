"""Which hosts run their services on a lease, so that others may take them over."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("agent") as table:
        table.add_column(sa.Column("leased", sa.Boolean(), nullable=False, server_default="0"))
