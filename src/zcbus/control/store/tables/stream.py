"""Stream queries and their inputs, with what was last reported of each."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from zcbus.control.store.columns import (
    ID_LENGTH,
    JsonDocument,
    UtcTimestamp,
    id_column,
    metadata,
    unreduced_column,
    unreduced_index,
)

computation = Table(
    "computation",
    metadata,
    id_column(),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id"), nullable=False),
    # Where the result goes.
    Column("database_id", String(ID_LENGTH), ForeignKey("customer_database.id"), nullable=False),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id"), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    Column("statement", Text, nullable=False),
    # Columns of the result that identify a row.
    Column("key_columns", JsonDocument, nullable=False),
    Column("interval_ms", Integer, nullable=False),
    Column("target_schema", String(128), nullable=False),
    Column("target_table", String(128), nullable=False),
    Column("most_rows", BigInteger, nullable=False),
    Column("most_state_mb", Integer, nullable=False),
    # See zcbus.protocol.tasks.StreamTask.
    Column("generation", Integer, nullable=False),
    Column("retry", Integer, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    # What the stream service last reported (zcbus.protocol.reports.StreamQueryReport).
    Column("state", String(30), nullable=False),
    Column("reason", JsonDocument),
    Column("reported_generation", Integer, nullable=False),
    Column("input_rows", JsonDocument, nullable=False),
    Column("rows", BigInteger),
    Column("inserts", BigInteger, nullable=False),
    Column("updates", BigInteger, nullable=False),
    Column("deletes", BigInteger, nullable=False),
    Column("state_bytes", BigInteger),
    Column("computed_ms", Integer),
    Column("computed_at", UtcTimestamp),
    Column("lag_ms", BigInteger),
    Column("last_change_at", UtcTimestamp),
    Column("reported_at", UtcTimestamp),
    # Reduced (zcbus.model.reduction): what is shown, and since when.
    Column("current_state", String(30), nullable=False, default="uninitialized", server_default="uninitialized"),
    Column("current_since", UtcTimestamp, nullable=False),
    unreduced_column(),
    unreduced_index(),
    Index(None, "customer_id", "name", unique=True),
    Index(None, "database_id", "target_schema", "target_table", unique=True),
)

computation_input = Table(
    "computation_input",
    metadata,
    id_column(),
    Column("computation_id", String(ID_LENGTH), ForeignKey("computation.id", ondelete="CASCADE"), nullable=False),
    Column("published_table_id", String(ID_LENGTH), ForeignKey("published_table.id"), nullable=False),
    # What the SELECT calls it.
    Column("name", String(128), nullable=False),
    Index(None, "computation_id", "name", unique=True),
    Index(None, "published_table_id"),
)
