"""Strategies (what may be handed out), and the customers each was given to."""

from sqlalchemy import Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata

strategy = Table(
    "strategy",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("product_name", String(200), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id", "product_name", unique=True),
)

strategy_customer = Table(
    "strategy_customer",
    metadata,
    Column("strategy_id", String(ID_LENGTH), ForeignKey("strategy.id", ondelete="CASCADE"), primary_key=True),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id", ondelete="CASCADE"), primary_key=True),
    Column("given_at", UtcTimestamp, nullable=False),
    Index(None, "customer_id"),
)
