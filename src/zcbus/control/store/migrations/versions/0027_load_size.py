"""How much was loaded, and what became of changes of the structure."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: on SQLite that makes the table anew.
    op.execute("ALTER TABLE subscribed_table ADD COLUMN bytes_loaded BIGINT DEFAULT 0 NOT NULL")
    for name in ("ddl_seen", "ddl_followed", "ddl_skipped"):
        op.execute(f"ALTER TABLE subscribed_table ADD COLUMN {name} INTEGER DEFAULT 0 NOT NULL")
    op.add_column("subscribed_table", sa.Column("last_ddl_at", UtcTimestamp()))
