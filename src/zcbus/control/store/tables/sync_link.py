"""Sync links: what ties a publish node and a customer together, and the tasks that run on them."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import (
    ID_LENGTH,
    JsonDocument,
    UtcTimestamp,
    id_column,
    metadata,
    unreduced_column,
    unreduced_index,
)

sync_link = Table(
    "sync_link",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("node_id", String(ID_LENGTH), ForeignKey("publish_node.id"), nullable=False),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id"), nullable=False),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id"), nullable=False),
    # 'running', 'suspended' or 'stopped'.
    Column("desired", String(20), nullable=False),
    # The link document as it was applied, without connections: tables, load, clean, ddl, threads.
    Column("document", JsonDocument, nullable=False),
    # Grows by one with every change of the document.
    Column("version", Integer, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    # Reduced (zcbus.model.reduction): a LinkState, and since when.
    Column("current_state", String(30), nullable=False, default="stopped", server_default="stopped"),
    Column("current_since", UtcTimestamp, nullable=False),
    unreduced_column(),
    unreduced_index(),
    Index(None, "tenant_id", "name", unique=True),
    Index(None, "node_id"),
    Index(None, "customer_id"),
)

sync_task = Table(
    "sync_task",
    metadata,
    id_column(),
    Column("link_id", String(ID_LENGTH), ForeignKey("sync_link.id", ondelete="CASCADE"), nullable=False),
    Column("channel_id", String(ID_LENGTH), ForeignKey("channel.id"), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "link_id"),
    Index(None, "channel_id", unique=True),
)
