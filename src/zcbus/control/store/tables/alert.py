"""Alerts: conditions that the platform noticed, and messages that were delivered to it."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

alert = Table(
    "alert",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # The subscriber concerned, or the tenant where none is; both outlived by the alert.
    Column("customer_id", String(ID_LENGTH), nullable=False),
    Column("customer_name", String(200), nullable=False),
    # What happened (`features.alert.kinds`), and the id of what it happened to.
    Column("kind", String(30), nullable=False),
    Column("subject", String(ID_LENGTH * 2), nullable=False),
    # 0 general, 1 attention, 3 important.
    Column("level", Integer, nullable=False),
    Column("facts", JsonDocument, nullable=False),
    # {code, facts}, as agents and workers give it.
    Column("reason", JsonDocument),
    # Changes when it happened again while it was still open.
    Column("mark", String(100), nullable=False),
    # The text of a delivered message; NULL where the text follows from kind and facts, in the reader's language.
    Column("content", Text),
    Column("link_id", String(ID_LENGTH)),
    Column("task_id", String(ID_LENGTH)),
    # 0 unread, 1 history.
    Column("status", Integer, nullable=False),
    Column("record_time", UtcTimestamp, nullable=False),
    Column("update_time", UtcTimestamp, nullable=False),
    # When what happened was over; messages are from the start.
    Column("recovered_time", UtcTimestamp),
    Index(None, "tenant_id", "status", "update_time"),
    Index(None, "recovered_time"),
)
