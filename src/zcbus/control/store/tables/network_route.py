"""Routes: named ways to servers behind a bastion or a proxy, or from an address of the host."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, UniqueConstraint

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata
from zcbus.control.store.sealed import SealedByName

network_route = Table(
    "network_route",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # What connections name it by: it stays.
    Column("name", String(50), nullable=False),
    # 'direct', 'ssh', 'socks5' or 'http'.
    Column("kind", String(10), nullable=False),
    Column("host", String(255), nullable=False),
    Column("port", Integer, nullable=False),
    Column("user", String(128), nullable=False),
    # 'password' and 'key', each encrypted; those that are set.
    Column("secrets", SealedByName("network-route:{key}:{name}"), nullable=False),
    # References to secrets that are kept elsewhere, by the same names; NULL: none.
    Column("secret_references", JsonDocument),
    Column("host_key", String(100), nullable=False),
    Column("source", String(45), nullable=False),
    # A list of addresses, networks and names; empty: all servers.
    Column("targets", JsonDocument, nullable=False),
    Column("description", String(200), nullable=False),
    Column("updated_by", String(50), nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("tenant_id", "name"),
)
