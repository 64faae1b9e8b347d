"""Tables that move between channels."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: on SQLite that makes the table anew.
    op.execute("ALTER TABLE subscribed_table ADD COLUMN moves INTEGER DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE subscribed_table ADD COLUMN reported_moves INTEGER DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE subscribed_table ADD COLUMN came_from TEXT DEFAULT '[]' NOT NULL")
