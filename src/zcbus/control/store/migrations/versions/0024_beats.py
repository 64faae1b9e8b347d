"""What services passed on last."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("service") as table:
        for stage in ("came", "went"):
            table.add_column(sa.Column(f"{stage}_at", UtcTimestamp(), nullable=True))
            table.add_column(sa.Column(f"{stage}_ms", sa.BigInteger(), nullable=True))
