"""Where services of a container may connect to and listen."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("container") as table:
        table.add_column(sa.Column("network", JsonDocument(), nullable=True))
