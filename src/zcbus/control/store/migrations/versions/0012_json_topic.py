"""JSON topics of publish nodes, and what their services tell of them."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("publish_node") as table:
        table.add_column(sa.Column("json_topic", sa.String(100), nullable=True))
        table.create_unique_constraint(op.f("uq_publish_node_json_topic"), ["json_topic"])
    with op.batch_alter_table("service") as table:
        table.add_column(sa.Column("feed", JsonDocument(), nullable=True))
