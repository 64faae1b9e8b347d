"""What is done to a subscribed table's rows, and how its wanted generation begins."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("subscribed_table", sa.Column("transform", sa.Text(), server_default="{}", nullable=False))
    op.add_column("subscribed_table", sa.Column("begin", sa.Text(), nullable=True))
