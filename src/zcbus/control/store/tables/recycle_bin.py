"""Deleted objects that can be restored."""

from sqlalchemy import Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

recycled_object = Table(
    "recycled_object",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # A `features.recycle_bin.kinds.RecycledKind`.
    Column("kind", String(30), nullable=False),
    Column("name", String(200), nullable=False),
    # The deleted rows by table, parents first (`features.recycle_bin.rows`).
    Column("content", JsonDocument, nullable=False),
    Column("deleted_by", String(50), nullable=False),
    Column("deleted_at", UtcTimestamp, nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id", "deleted_at"),
    Index(None, "expires_at"),
)
