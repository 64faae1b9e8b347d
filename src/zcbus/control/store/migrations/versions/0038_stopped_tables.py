"""Single published tables are stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("published_table", sa.Column("stopped_generation", sa.Integer(), nullable=True))
