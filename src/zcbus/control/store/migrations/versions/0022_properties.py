"""What is set for a container and its workers."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("container") as table:
        table.add_column(sa.Column("properties", JsonDocument(), nullable=True))
