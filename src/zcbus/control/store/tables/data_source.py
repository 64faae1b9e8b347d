"""Databases that are read or written."""

from sqlalchemy import Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata
from zcbus.control.store.sealed import SealedByName

data_source = Table(
    "data_source",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("kind", String(50), nullable=False),
    # The kind's options without secrets, by name.
    Column("options", JsonDocument, nullable=False),
    # The kind's secrets by name, each encrypted.
    Column("secrets", SealedByName("data-source:{key}:{name}"), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
)
