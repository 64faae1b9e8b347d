"""Which control planes hold which master keys. The keys themselves are never in the store."""

from sqlalchemy import Column, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, metadata

key_holder = Table(
    "key_holder",
    metadata,
    # Of this run of a control plane.
    Column("process_id", String(ID_LENGTH), primary_key=True),
    Column("host", String(255), nullable=False),
    # Ids of the keys that it holds, the oldest first, and of the one it seals with.
    Column("key_ids", JsonDocument, nullable=False),
    Column("sealing", String(64), nullable=False),
    Column("reported_at", UtcTimestamp, nullable=False),
)
