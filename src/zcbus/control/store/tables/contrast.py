"""Contrast services, and the comparisons of subscribed tables that they make, with what was last reported of each."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

contrast = Table(
    "contrast",
    metadata,
    id_column(),
    Column("master_id", String(ID_LENGTH), ForeignKey("master.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id"), nullable=False, unique=True),
    Column("created_at", UtcTimestamp, nullable=False),
)

comparison = Table(
    "comparison",
    metadata,
    id_column(),
    Column("contrast_id", String(ID_LENGTH), ForeignKey("contrast.id", ondelete="CASCADE"), nullable=False),
    Column(
        "table_id",
        String(ID_LENGTH),
        ForeignKey("subscribed_table.id", ondelete="CASCADE"),
        nullable=False,
        unique=True,
    ),
    # Request number: grows with each request to compare or to repair.
    Column("number", Integer, nullable=False),
    # 'content', 'strict' or 'count'.
    Column("method", String(20), nullable=False),
    # Names in the source; none: all.
    Column("columns", JsonDocument, nullable=False, server_default="[]"),
    Column("rounds", Integer, nullable=False),
    Column("stopped", Boolean, nullable=False),
    Column("repair", Integer, nullable=False),
    Column("asked_at", UtcTimestamp, nullable=False),
    # What the contrast service last reported; of an older number it holds no longer.
    Column("reported_number", Integer, nullable=False),
    Column("state", String(30), nullable=False),
    Column("reason", JsonDocument),
    Column("rows_total", BigInteger),
    Column("rows_compared", BigInteger, nullable=False),
    Column("missing", BigInteger, nullable=False),
    Column("extra", BigInteger, nullable=False),
    Column("different", BigInteger, nullable=False),
    Column("unsettled", BigInteger, nullable=False),
    Column("not_checked", BigInteger, nullable=False),
    Column("reported_repair", Integer, nullable=False),
    Column("repair_state", String(30), nullable=False),
    Column("repair_reason", JsonDocument),
    Column("repaired", BigInteger, nullable=False),
    Column("started_at", UtcTimestamp),
    Column("finished_at", UtcTimestamp),
    Column("reported_at", UtcTimestamp),
    Index(None, "contrast_id"),
)
