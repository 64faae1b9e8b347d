"""Policies (strategies in the specification): their drafts and versions, and the customers that have one of them."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

strategy = Table(
    "strategy",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("product_name", String(200), nullable=False),
    # What publishes its tables; NULL: the node was deleted.
    Column("node_id", String(ID_LENGTH), ForeignKey("publish_node.id", ondelete="SET NULL")),
    Column("remark", String(200), nullable=False, server_default=""),
    # control.features.policy.contents.PolicyContents, as people change it.
    Column("draft", JsonDocument, nullable=False, server_default="{}"),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id", "product_name", unique=True),
    Index(None, "node_id"),
)

# What is never changed again but for `retired_at`.
strategy_version = Table(
    "strategy_version",
    metadata,
    Column("strategy_id", String(ID_LENGTH), ForeignKey("strategy.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("contents", JsonDocument, nullable=False),
    Column("tables", Integer, nullable=False),
    Column("note", String(200), nullable=False),
    Column("created_by", String(50), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("retired_at", UtcTimestamp),
)

# What a customer has of a policy. One master carries it.
strategy_customer = Table(
    "strategy_customer",
    metadata,
    id_column(),
    Column("strategy_id", String(ID_LENGTH), ForeignKey("strategy.id", ondelete="CASCADE"), nullable=False),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id", ondelete="CASCADE"), nullable=False),
    Column("master_id", String(ID_LENGTH), ForeignKey("master.id", ondelete="CASCADE"), nullable=False),
    # Where further tables go; NULL: to the master's channel that has the fewest.
    Column("channel_id", String(ID_LENGTH), ForeignKey("channel.id", ondelete="SET NULL")),
    # NULL: none was ever delivered.
    Column("version", Integer),
    Column("previous", Integer),
    # Of the last delivery, if it failed: the version and why (code, facts).
    Column("failed_version", Integer),
    Column("reason", JsonDocument),
    Column("asked_by", String(50), nullable=False, server_default=""),
    Column("given_at", UtcTimestamp, nullable=False),
    Index(None, "strategy_id", "customer_id", unique=True),
    Index(None, "customer_id"),
    Index(None, "master_id"),
    Index(None, "channel_id"),
)

# Subscribed tables that a delivery made or took over.
strategy_table = Table(
    "strategy_table",
    metadata,
    Column(
        "subscribed_table_id",
        String(ID_LENGTH),
        ForeignKey("subscribed_table.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("delivery_id", String(ID_LENGTH), ForeignKey("strategy_customer.id", ondelete="CASCADE"), nullable=False),
    Index(None, "delivery_id"),
)
