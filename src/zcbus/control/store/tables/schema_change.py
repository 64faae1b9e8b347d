"""The history of schema changes that reached subscribed tables."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata

# Written with the report that counts them (`features.subscribe.schema_changes`). A row outlives its table and channel,
# so it has the names and no foreign keys to them.
schema_change = Table(
    "schema_change",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("channel_id", String(ID_LENGTH), nullable=False),
    Column("table_id", String(ID_LENGTH), nullable=False),
    Column("source_table", String(300), nullable=False),
    Column("recorded_at", UtcTimestamp, nullable=False),
    # 'followed', 'skipped' or 'stopped': the table stopped before it.
    Column("result", String(10), nullable=False),
    Column("changes", Integer, nullable=False),
    Index(None, "channel_id", "recorded_at"),
    Index(None, "recorded_at"),
)
