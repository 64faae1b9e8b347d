"""Publish nodes and the tables they publish, with what was last reported of each."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import (
    ID_LENGTH,
    JsonDocument,
    UtcTimestamp,
    id_column,
    metadata,
    unreduced_column,
    unreduced_index,
)

publish_node = Table(
    "publish_node",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("name", String(200), nullable=False),
    Column("data_source_id", String(ID_LENGTH), ForeignKey("data_source.id"), nullable=False),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id"), nullable=False, unique=True),
    Column("retention_hours", Integer, nullable=False),
    # Name of the JSON topic; NULL: none.
    Column("json_topic", String(100), unique=True),
    # GiB of log that the source may keep for it; NULL: as much as it must.
    Column("held_log_gb", Integer),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
    Index(None, "data_source_id"),
)

published_table = Table(
    "published_table",
    metadata,
    id_column(),
    Column("node_id", String(ID_LENGTH), ForeignKey("publish_node.id", ondelete="CASCADE"), nullable=False),
    Column("schema_name", String(255), nullable=False),
    Column("table_name", String(255), nullable=False),
    # Chosen key columns; []: the table's own key.
    Column("key_columns", JsonDocument, nullable=False),
    # Without a key: only the rows that come are applied anywhere.
    Column("append_only", Boolean, nullable=False, server_default="0"),
    # Number of the requested snapshot; 0: none.
    Column("generation", Integer, nullable=False),
    # Number of gaps that an operator accepted (zcbus.protocol.tasks.PublishedTable).
    Column("gap", Integer, nullable=False, server_default="0"),
    # It is not captured while this is its generation.
    Column("stopped_generation", Integer),
    # What the publish service last reported.
    Column("state", String(30), nullable=False),
    Column("state_since", UtcTimestamp, nullable=False),
    Column("reason", JsonDocument),
    Column("reported_generation", Integer, nullable=False),
    Column("rows_total", BigInteger),
    Column("rows_read", BigInteger, nullable=False),
    Column("inserts", BigInteger, nullable=False),
    Column("updates", BigInteger, nullable=False),
    Column("deletes", BigInteger, nullable=False),
    # Its changes on the topic since counting began at that epoch (zcbus.protocol.reports.PublishTableReport).
    Column("changes_epoch", BigInteger),
    Column("changes", BigInteger),
    # Of the newest change: from its commit until it was on the bus, and when it was committed.
    Column("delay_ms", BigInteger),
    Column("last_change_at", UtcTimestamp),
    # When retention begins to take the snapshot.
    Column("expires_at", UtcTimestamp),
    Column("reported_at", UtcTimestamp),
    # Reduced (zcbus.model.reduction): the shown state, since when, and its origin.
    Column("current_state", String(30), nullable=False, default="uninitialized", server_default="uninitialized"),
    Column("current_since", UtcTimestamp, nullable=False),
    Column("current_origin", String(20), nullable=False, default="report", server_default="report"),
    unreduced_column(),
    unreduced_index(),
    Index(None, "node_id", "schema_name", "table_name", unique=True),
)
