"""Policies with their versions, and what customers have of them.

The two tables of the first migration are created again: no version could put a row into them.
"""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("strategy_customer")
    op.drop_table("strategy")
    op.create_table(
        "strategy",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("product_name", sa.String(length=200), nullable=False),
        sa.Column("node_id", sa.String(length=32), nullable=True),
        sa.Column("remark", sa.String(length=200), server_default="", nullable=False),
        sa.Column("draft", JsonDocument(), server_default="{}", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_strategy_tenant_id_tenant")),
        sa.ForeignKeyConstraint(
            ["node_id"], ["publish_node.id"], name=op.f("fk_strategy_node_id_publish_node"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strategy")),
    )
    op.create_index(op.f("ix_strategy_node_id"), "strategy", ["node_id"], unique=False)
    op.create_index(op.f("ix_strategy_tenant_id_product_name"), "strategy", ["tenant_id", "product_name"], unique=True)
    op.create_table(
        "strategy_version",
        sa.Column("strategy_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("contents", JsonDocument(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("created_by", sa.String(length=50), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("retired_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["strategy_id"], ["strategy.id"], name=op.f("fk_strategy_version_strategy_id_strategy"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("strategy_id", "number", name=op.f("pk_strategy_version")),
    )
    op.create_table(
        "strategy_customer",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("strategy_id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("master_id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("previous", sa.Integer(), nullable=True),
        sa.Column("failed_version", sa.Integer(), nullable=True),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("asked_by", sa.String(length=50), server_default="", nullable=False),
        sa.Column("given_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["strategy_id"], ["strategy.id"], name=op.f("fk_strategy_customer_strategy_id_strategy"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customer.id"], name=op.f("fk_strategy_customer_customer_id_customer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["master_id"], ["master.id"], name=op.f("fk_strategy_customer_master_id_master"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channel.id"], name=op.f("fk_strategy_customer_channel_id_channel"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strategy_customer")),
    )
    for name in ("channel_id", "customer_id", "master_id"):
        op.create_index(op.f(f"ix_strategy_customer_{name}"), "strategy_customer", [name], unique=False)
    op.create_index(
        op.f("ix_strategy_customer_strategy_id_customer_id"),
        "strategy_customer",
        ["strategy_id", "customer_id"],
        unique=True,
    )
    op.create_table(
        "strategy_table",
        sa.Column("subscribed_table_id", sa.String(length=32), nullable=False),
        sa.Column("delivery_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["subscribed_table_id"],
            ["subscribed_table.id"],
            name=op.f("fk_strategy_table_subscribed_table_id_subscribed_table"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["delivery_id"],
            ["strategy_customer.id"],
            name=op.f("fk_strategy_table_delivery_id_strategy_customer"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("subscribed_table_id", name=op.f("pk_strategy_table")),
    )
    op.create_index(op.f("ix_strategy_table_delivery_id"), "strategy_table", ["delivery_id"], unique=False)
