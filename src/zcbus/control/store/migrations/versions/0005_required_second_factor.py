"""Which tenants require a second factor."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tenant", sa.Column("second_factor", sa.String(length=15), server_default="optional", nullable=False))
