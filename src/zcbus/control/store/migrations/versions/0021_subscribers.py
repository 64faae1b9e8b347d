"""Customers with several databases; what a master's tables begin with."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "customer_database",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["customer.id"],
            name=op.f("fk_customer_database_customer_id_customer"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_customer_database_data_source_id_data_source")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer_database")),
        sa.UniqueConstraint("data_source_id", name=op.f("uq_customer_database_data_source_id")),
    )
    op.create_index(
        op.f("ix_customer_database_customer_id_name"), "customer_database", ["customer_id", "name"], unique=True
    )
    op.execute(
        "INSERT INTO customer_database (id, customer_id, data_source_id, name, created_at)"
        " SELECT id, id, data_source_id, name, created_at FROM customer"
    )
    # Not by a batch: on SQLite that makes the table anew, and dropping the old one would take its channels along.
    op.execute(
        "ALTER TABLE master ADD COLUMN data_source_id VARCHAR(32)"
        " CONSTRAINT fk_master_data_source_id_data_source REFERENCES data_source (id)"
    )
    op.execute("ALTER TABLE master ADD COLUMN settings TEXT DEFAULT '{}' NOT NULL")
