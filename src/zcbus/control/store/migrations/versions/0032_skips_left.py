"""How many failing changes of a table are still skipped."""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("reported_skip_revision", "dml_skip_left", "ddl_skip_left"):
        # Not by a batch: on SQLite that makes the table anew.
        op.execute(f"ALTER TABLE subscribed_table ADD COLUMN {name} INTEGER DEFAULT 0 NOT NULL")
