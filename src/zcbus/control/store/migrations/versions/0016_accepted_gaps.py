"""How many gaps somebody accepted of each published table."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("published_table") as table:
        table.add_column(sa.Column("gap", sa.Integer(), nullable=False, server_default="0"))
