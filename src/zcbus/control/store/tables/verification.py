"""Verification progress of each subscribed table: what is requested, and what was last reported."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, metadata

verification = Table(
    "verification",
    metadata,
    Column(
        "table_id",
        String(ID_LENGTH),
        ForeignKey("subscribed_table.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    ),
    # Request numbers: grow with each request to verify the table at once, or to repair it.
    Column("number", Integer, nullable=False, server_default="0"),
    Column("repair", Integer, nullable=False, server_default="0"),
    # What the subscribe service last reported (zcbus.protocol.reports.Verification), of this generation.
    Column("generation", Integer, nullable=False, server_default="0"),
    Column("verified_until", UtcTimestamp),
    Column("pass_rows", BigInteger, nullable=False, server_default="0"),
    Column("rows_total", BigInteger),
    Column("missing", BigInteger, nullable=False, server_default="0"),
    Column("extra", BigInteger, nullable=False, server_default="0"),
    Column("different", BigInteger, nullable=False, server_default="0"),
    # All three; and when the first was reported. NULL: there is none.
    Column("differences", BigInteger, nullable=False, server_default="0"),
    Column("differences_since", UtcTimestamp),
    Column("capped", Boolean, nullable=False, server_default="0"),
    Column("unsettled", BigInteger, nullable=False, server_default="0"),
    Column("asked", Integer, nullable=False, server_default="0"),
    Column("reported_repair", Integer, nullable=False, server_default="0"),
    Column("repaired", BigInteger, nullable=False, server_default="0"),
    Column("reason", JsonDocument),
    Column("reported_at", UtcTimestamp),
)
