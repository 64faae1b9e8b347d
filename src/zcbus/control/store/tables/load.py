"""The history of full loads."""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

# One row for each load of a subscribed table, written when the table's state is reduced
# (`control.store.reduction.loads`). It outlives the table, so it has the names and no foreign keys.
load_record = Table(
    "load_record",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("table_id", String(ID_LENGTH), nullable=False),
    # The table's generation, which begins with this load.
    Column("generation", Integer, nullable=False),
    # NULL without a sync link; the name is then the customer's.
    Column("link_id", String(ID_LENGTH)),
    Column("task_id", String(ID_LENGTH)),
    Column("link_name", String(200), nullable=False),
    Column("client_type", String(20), nullable=False),
    Column("customer_id", String(ID_LENGTH), nullable=False),
    Column("channel_name", String(200), nullable=False),
    Column("source_kind", String(50), nullable=False),
    Column("source_table", String(300), nullable=False),
    Column("target_kind", String(50), nullable=False),
    Column("target_table", String(300), nullable=False),
    # A `model.reduction.loads.LoadState`, since when, and its reason as {code, facts}.
    Column("state", String(20), nullable=False),
    Column("state_since", UtcTimestamp, nullable=False),
    Column("reason", JsonDocument),
    # The order, the first and the last row, and the first moment without waiting changes behind it.
    Column("queued_at", UtcTimestamp, nullable=False),
    Column("started_at", UtcTimestamp),
    Column("finished_at", UtcTimestamp),
    Column("caught_up_at", UtcTimestamp),
    Column("rows_total", BigInteger),
    Column("rows_loaded", BigInteger, nullable=False),
    Column("bytes_loaded", BigInteger, nullable=False),
    # Milliseconds from each of the moments above to the next; NULL: it is not over. Paused is a part of loading.
    Column("waiting_ms", BigInteger),
    Column("loading_ms", BigInteger),
    Column("paused_ms", BigInteger, nullable=False),
    Column("catch_up_ms", BigInteger),
    # Of the time in which it ran; NULL: it has not finished.
    Column("rows_per_second", Double),
    # Attempts that ended in an error, and the table's count of errors up to which they are counted.
    Column("failures", Integer, nullable=False),
    Column("errors_counted", BigInteger, nullable=False),
    Column("interruptions", Integer, nullable=False),
    # Whether its table's state can still change it.
    Column("is_open", Boolean, nullable=False),
    Index(None, "table_id", "generation", unique=True),
    Index(None, "tenant_id", "queued_at"),
    Index(None, "link_id", "queued_at"),
    Index(None, "is_open", "state_since"),
)
