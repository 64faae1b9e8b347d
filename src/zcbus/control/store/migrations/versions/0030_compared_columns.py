"""Which columns a comparison compares."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: on SQLite that makes the table anew.
    op.execute("ALTER TABLE comparison ADD COLUMN columns TEXT DEFAULT '[]' NOT NULL")
