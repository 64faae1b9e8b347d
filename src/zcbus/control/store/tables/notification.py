"""Receivers of notices, and every delivery to them."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, text

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata
from zcbus.control.store.sealed import Sealed

notice_receiver = Table(
    "notice_receiver",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(100), nullable=False),
    # A `notification.ways.Way`.
    Column("way", String(20), nullable=False),
    # What is no secret: of mail its server and addresses.
    Column("settings", JsonDocument, nullable=False),
    # {name: value} as JSON, encrypted: passwords, signing secrets, and addresses of webhooks, which admit anyone who
    # has them.
    Column("secret", Sealed("notice-receiver:{key}:secret"), nullable=False),
    # Whom it reaches, without secrets: mail addresses, or a webhook's host.
    Column("target", String(500), nullable=False),
    # 'zh' or 'en': the language of its notices.
    Column("language", String(2), nullable=False),
    # NULL: everything of the tenant; else what concerns this subscriber. No foreign key: it then gets nothing more.
    Column("customer_id", String(ID_LENGTH)),
    # The lowest level of alerts it gets.
    Column("min_level", Integer, nullable=False),
    # Whether it gets a notice that an alert is over.
    Column("recovery", Boolean, nullable=False),
    Column("enabled", Boolean, nullable=False),
    # Quiet hours: minutes of the day, and the zone they are read in; NULL: none.
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("quiet_zone", String(64)),
    # Whether important alerts are sent in quiet hours all the same.
    Column("quiet_important", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id", "name", unique=True),
)

notice_delivery = Table(
    "notice_delivery",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # The receiver as it was then; it may be gone.
    Column("receiver_id", String(ID_LENGTH), nullable=False),
    Column("receiver_name", String(100), nullable=False),
    Column("way", String(20), nullable=False),
    Column("target", String(500), nullable=False),
    # Of several alerts the first. NULL: a test. No foreign key: alerts are deleted earlier.
    Column("alert_id", String(ID_LENGTH)),
    # 'raised', 'repeated', 'recovered' or 'test'.
    Column("occasion", String(10), nullable=False),
    # Of the alert; 'test' of a test.
    Column("kind", String(30), nullable=False),
    Column("level", Integer, nullable=False),
    # The subscriber or tenant concerned.
    Column("customer_name", String(200), nullable=False),
    # The text that is sent, in the receiver's language.
    Column("title", String(300), nullable=False),
    Column("content", Text, nullable=False),
    # A `notification.states.DeliveryState`.
    Column("state", String(10), nullable=False),
    # The number of the attempt that is under way, or was the last.
    Column("attempts", Integer, nullable=False),
    # When a waiting one is due.
    Column("next_at", UtcTimestamp, nullable=False),
    # Until when the attempt that is under way belongs to the control plane that began it.
    Column("claimed_until", UtcTimestamp),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("ended_at", UtcTimestamp),
    # {code, facts} of the last attempt that failed.
    Column("reason", JsonDocument),
    # Alerts with the same key have one cause; NULL: it stands alone.
    Column("group_key", String(100)),
    # Number of its alerts.
    Column("alerts", Integer, nullable=False, server_default="1"),
    # It is not sent before: it collects alerts of its group, or the receiver has quiet hours. NULL: at once.
    Column("held_until", UtcTimestamp),
    # The number of a notice that its alert lasts; 0: it is none.
    Column("repetition", Integer, nullable=False, server_default="0"),
    # An alert is delivered once for each occasion, also if two processes queue it.
    Index(None, "receiver_id", "alert_id", "occasion", "repetition", unique=True),
    Index(None, "tenant_id", "created_at"),
    Index(None, "receiver_id", "created_at"),
    Index(
        "ix_notice_delivery_open",
        "receiver_id",
        "next_at",
        sqlite_where=text("state IN ('waiting', 'sending')"),
        postgresql_where=text("state IN ('waiting', 'sending')"),
    ),
    Index(None, "ended_at"),
)

notice_alert = Table(
    "notice_alert",
    metadata,
    # Which notice informed a receiver of an alert.
    Column("receiver_id", String(ID_LENGTH), primary_key=True),
    Column("alert_id", String(ID_LENGTH), primary_key=True),
    Column("delivery_id", String(ID_LENGTH), ForeignKey("notice_delivery.id", ondelete="CASCADE"), nullable=False),
    # What it says of the alert, in the receiver's language.
    Column("what", Text, nullable=False),
    Index(None, "delivery_id"),
)
