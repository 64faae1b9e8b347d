"""Where readers find own help articles."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("article", sa.Column("before_shipped", sa.Boolean(), server_default="0", nullable=False))
    op.add_column("article", sa.Column("place", sa.Integer(), server_default="0", nullable=False))
