"""Drivers that agents keep on their hosts, where to, and how far each is."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, metadata
from zcbus.control.store.tables.container import AGENT_ID_LENGTH

driver = Table(
    "driver",
    metadata,
    # The upload with the file: its size, its checksum and who brought it.
    Column("id", String(ID_LENGTH), ForeignKey("upload.id", ondelete="CASCADE"), primary_key=True),
    # The file's name on the hosts, which connections give.
    Column("name", String(128), nullable=False, unique=True),
    # The kind of data source that it is for, and its version as its maker calls it.
    Column("kind", String(50), nullable=False),
    Column("version", String(50), nullable=False),
    # Ed25519 over the file in base64, and the key that made it; empty: the checksum was confirmed by a user.
    Column("signature", String(200), nullable=False),
    Column("signer", String(100), nullable=False),
    # All containers, later ones too; otherwise those of `driver_container`.
    Column("everywhere", Boolean, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
)

driver_container = Table(
    "driver_container",
    metadata,
    Column("driver_id", String(ID_LENGTH), ForeignKey("driver.id", ondelete="CASCADE"), primary_key=True),
    Column("container_id", String(ID_LENGTH), ForeignKey("container.id", ondelete="CASCADE"), primary_key=True),
    Index(None, "container_id"),
)

# What agents reported; without a row an agent has not tried yet.
driver_state = Table(
    "driver_state",
    metadata,
    Column("agent_id", String(AGENT_ID_LENGTH), ForeignKey("agent.id", ondelete="CASCADE"), primary_key=True),
    Column("driver_id", String(ID_LENGTH), ForeignKey("driver.id", ondelete="CASCADE"), primary_key=True),
    # 'present' or 'failed'.
    Column("state", String(10), nullable=False),
    Column("reason", JsonDocument),
    Column("reported_at", UtcTimestamp, nullable=False),
    Index(None, "driver_id"),
)
