"""Whether a subscribed table gets its source's indexes that are no keys."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("subscribed_table") as table:
        table.add_column(sa.Column("indexes", sa.Boolean(), nullable=False, server_default="0"))
