"""Computations over published tables."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "computation",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("database_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("key_columns", JsonDocument(), nullable=False),
        sa.Column("interval_ms", sa.Integer(), nullable=False),
        sa.Column("target_schema", sa.String(length=128), nullable=False),
        sa.Column("target_table", sa.String(length=128), nullable=False),
        sa.Column("most_rows", sa.BigInteger(), nullable=False),
        sa.Column("most_state_mb", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("retry", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("reason", JsonDocument()),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("input_rows", JsonDocument(), nullable=False),
        sa.Column("rows", sa.BigInteger()),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("state_bytes", sa.BigInteger()),
        sa.Column("computed_ms", sa.Integer()),
        sa.Column("computed_at", UtcTimestamp()),
        sa.Column("lag_ms", sa.BigInteger()),
        sa.Column("last_change_at", UtcTimestamp()),
        sa.Column("reported_at", UtcTimestamp()),
        sa.ForeignKeyConstraint(["customer_id"], ["customer.id"], name=op.f("fk_computation_customer_id_customer")),
        sa.ForeignKeyConstraint(
            ["database_id"], ["customer_database.id"], name=op.f("fk_computation_database_id_customer_database")
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_computation_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_computation")),
        sa.UniqueConstraint("service_id", name=op.f("uq_computation_service_id")),
    )
    op.create_index(op.f("ix_computation_customer_id_name"), "computation", ["customer_id", "name"], unique=True)
    op.create_index(
        op.f("ix_computation_database_id_target_schema_target_table"),
        "computation",
        ["database_id", "target_schema", "target_table"],
        unique=True,
    )
    op.create_table(
        "computation_input",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("computation_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.ForeignKeyConstraint(
            ["computation_id"],
            ["computation.id"],
            name=op.f("fk_computation_input_computation_id_computation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["published_table_id"],
            ["published_table.id"],
            name=op.f("fk_computation_input_published_table_id_published_table"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_computation_input")),
    )
    op.create_index(
        op.f("ix_computation_input_computation_id_name"), "computation_input", ["computation_id", "name"], unique=True
    )
    op.create_index(
        op.f("ix_computation_input_published_table_id"), "computation_input", ["published_table_id"], unique=False
    )
