"""Tables without any key may be published append-only."""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: on SQLite that makes the tables anew.
    op.execute("ALTER TABLE published_table ADD COLUMN append_only BOOLEAN DEFAULT '0' NOT NULL")
    op.execute("ALTER TABLE subscribed_table ADD COLUMN append_only BOOLEAN DEFAULT '0' NOT NULL")
