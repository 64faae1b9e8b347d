"""How to sign in to the hosts of agents, and tickets for sockets."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, metadata
from zcbus.control.store.sealed import Sealed
from zcbus.control.store.tables.container import AGENT_ID_LENGTH

machine = Table(
    "machine",
    metadata,
    # The agent on it is the device.
    Column("device_id", String(AGENT_ID_LENGTH), ForeignKey("agent.id", ondelete="CASCADE"), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("port", Integer, nullable=False),
    Column("user_name", String(100), nullable=False),
    # The password, encrypted.
    Column("secret", Sealed("machine:{key}:password"), nullable=False),
    # The host's public key as OpenSSH writes it: another one is not trusted.
    Column("host_key", Text, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)

# The holder of a ticket may open one socket, once, at once.
socket_ticket = Table(
    "socket_ticket",
    metadata,
    Column("ticket_hash", String(64), primary_key=True),
    Column("purpose", String(20), nullable=False),
    Column("target", String(AGENT_ID_LENGTH), nullable=False),
    Column("user_id", String(ID_LENGTH), nullable=False),
    Column("user_name", String(50), nullable=False),
    Column("tenant_id", String(ID_LENGTH), nullable=False),
    # The session that requested it; NULL for programs on the same host.
    Column("session_id", String(ID_LENGTH)),
    Column("language", String(2), nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "expires_at"),
)
