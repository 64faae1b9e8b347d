"""How much log a source may keep for a publish node."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("publish_node") as table:
        table.add_column(sa.Column("held_log_gb", sa.Integer(), nullable=True))
