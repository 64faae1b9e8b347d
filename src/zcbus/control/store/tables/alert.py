"""Alerts: conditions that the platform noticed, and messages that were delivered to it."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

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
    # Who knows of it and looks after it; by name, which outlives the user.
    Column("acknowledged_time", UtcTimestamp),
    Column("acknowledged_by", String(100)),
    # Who says that it is mended. Taken back if what happened still lasts some minutes later.
    Column("resolved_time", UtcTimestamp),
    Column("resolved_by", String(100)),
    # A user of the same tenant. Without a foreign key: SQLite cannot add one to a table that is there.
    Column("assignee_id", String(ID_LENGTH)),
    Column("assignee_name", String(100)),
    # It was raised while it was muted: no notice of it was sent yet.
    Column("muted", Boolean, nullable=False, server_default="0"),
    # The tenant's own rule that noticed it; NULL: a built-in one. Without a foreign key: it may be gone.
    Column("rule_id", String(ID_LENGTH)),
    # When receivers were last notified again that it lasts, and how often they were.
    Column("notified_time", UtcTimestamp),
    Column("repeats", Integer, nullable=False, server_default="0"),
    Index(None, "tenant_id", "status", "update_time"),
    Index(None, "recovered_time"),
    Index(None, "link_id"),
)

alert_mute = Table(
    "alert_mute",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # What is muted: alerts of this kind (NULL: of any) about this object (NULL: about any); not both NULL.
    Column("kind", String(30)),
    # A link's id, or an alert's subject where no link is concerned; and its name then.
    Column("object_id", String(ID_LENGTH * 2)),
    Column("object_name", String(200), nullable=False),
    Column("until", UtcTimestamp, nullable=False),
    Column("created_by", String(100), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
)
