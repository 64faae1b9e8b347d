"""A customer's database says by which path its masters load."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: on SQLite that makes the table anew.
    op.execute("ALTER TABLE customer_database ADD COLUMN load_type VARCHAR(1) DEFAULT 'C' NOT NULL")
