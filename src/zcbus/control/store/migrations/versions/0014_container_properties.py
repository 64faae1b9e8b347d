"""Properties of the connections to Kafka, per container."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("container") as table:
        table.add_column(sa.Column("sealed_properties", sa.Text(), nullable=True))
