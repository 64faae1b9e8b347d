"""A channel's changes may be divided among lanes by their keys."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("channel", sa.Column("apply_lanes", sa.Integer(), nullable=False, server_default="1"))
