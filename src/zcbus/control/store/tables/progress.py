"""How far calls are that take long."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

# One row for each call that is under way and that its caller follows.
call_progress = Table(
    "call_progress",
    metadata,
    id_column(),
    # '' for the holder of the data folder's own token.
    Column("user_id", String(ID_LENGTH), nullable=False),
    # The caller's own name for the call.
    Column("key", String(64), nullable=False),
    # What is done now: `progress.<step>` in the message catalogues. NULL: nothing that takes long yet.
    Column("step", String(40)),
    Column("step_begun_at", UtcTimestamp),
    # How much of the step; `total` 0: that is not counted.
    Column("done", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    # Whether it is too late to call it off.
    Column("final", Boolean, nullable=False),
    Column("cancelled", Boolean, nullable=False),
    Column("begun_at", UtcTimestamp, nullable=False),
    Index(None, "user_id", "key", unique=True),
    Index(None, "begun_at"),
)

# Ended calls that took long and whose notice is pending.
ended_call = Table(
    "ended_call",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # work (the call's action), user, seconds; done and refused: numbers of tables, where it was about tables.
    Column("facts", JsonDocument, nullable=False),
    # NULL: it did what was asked.
    Column("error_code", String(100)),
    Column("ended_at", UtcTimestamp, nullable=False),
)
