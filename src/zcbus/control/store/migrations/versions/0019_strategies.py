"""Strategies, and the customers each was given to."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "strategy",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("product_name", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_strategy_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strategy")),
    )
    op.create_index(op.f("ix_strategy_tenant_id_product_name"), "strategy", ["tenant_id", "product_name"], unique=True)
    op.create_table(
        "strategy_customer",
        sa.Column("strategy_id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("given_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["strategy_id"],
            ["strategy.id"],
            name=op.f("fk_strategy_customer_strategy_id_strategy"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["customer.id"],
            name=op.f("fk_strategy_customer_customer_id_customer"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("strategy_id", "customer_id", name=op.f("pk_strategy_customer")),
    )
    op.create_index(op.f("ix_strategy_customer_customer_id"), "strategy_customer", ["customer_id"])
