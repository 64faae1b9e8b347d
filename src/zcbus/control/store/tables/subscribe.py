"""Customers, their masters and channels, and the tables they receive, with what was last reported of each."""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import (
    ID_LENGTH,
    JsonDocument,
    UtcTimestamp,
    id_column,
    metadata,
    unreduced_column,
    unreduced_index,
)

customer = Table(
    "customer",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("name", String(200), nullable=False),
    # 'client': a subscriber.
    Column("client_type", String(20), nullable=False),
    # Its first database.
    Column("data_source_id", String(ID_LENGTH), ForeignKey("data_source.id"), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
    Index(None, "data_source_id"),
)

customer_database = Table(
    "customer_database",
    metadata,
    id_column(),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id", ondelete="CASCADE"), nullable=False),
    Column("data_source_id", String(ID_LENGTH), ForeignKey("data_source.id"), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    # What masters that write to it begin with; see `master.load_type`.
    Column("load_type", String(1), nullable=False, server_default="C"),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "customer_id", "name", unique=True),
)

master = Table(
    "master",
    metadata,
    id_column(),
    Column("customer_id", String(ID_LENGTH), ForeignKey("customer.id", ondelete="CASCADE"), nullable=False),
    Column("node_id", String(ID_LENGTH), ForeignKey("publish_node.id"), nullable=False),
    Column("name", String(200), nullable=False),
    # 'C': the native bulk path; 'J': the generic driver path.
    Column("load_type", String(1), nullable=False),
    # The target; NULL: its customer's first database.
    Column("data_source_id", String(ID_LENGTH), ForeignKey("data_source.id")),
    # What its tables begin with: control.features.subscribe.schemas.MasterSettings. {} where a sync link says it.
    Column("settings", JsonDocument, nullable=False, server_default="{}"),
    Column("created_at", UtcTimestamp, nullable=False),
    Index(None, "customer_id"),
    Index(None, "node_id"),
)

channel = Table(
    "channel",
    metadata,
    id_column(),
    Column("master_id", String(ID_LENGTH), ForeignKey("master.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(200), nullable=False),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id"), nullable=False, unique=True),
    Column("load_threads", Integer, nullable=False),
    # See zcbus.protocol.tasks.SubscribeTask.apply_lanes.
    Column("apply_lanes", Integer, nullable=False, server_default="1"),
    Column("created_at", UtcTimestamp, nullable=False),
    # Reduced: a ServiceState or ChannelState.
    Column("current_state", String(30), nullable=False, default="not-enabled", server_default="not-enabled"),
    unreduced_column(),
    unreduced_index(),
    Index(None, "master_id", "name", unique=True),
)

subscribed_table = Table(
    "subscribed_table",
    metadata,
    id_column(),
    Column("channel_id", String(ID_LENGTH), ForeignKey("channel.id", ondelete="CASCADE"), nullable=False),
    Column("published_table_id", String(ID_LENGTH), ForeignKey("published_table.id"), nullable=False),
    Column("target_schema", String(128), nullable=False),
    Column("target_table", String(128), nullable=False),
    # [[name in the source, name in the target], …]; []: all columns under their own names.
    Column("columns", JsonDocument, nullable=False),
    # Chosen key columns, by their names in the source, or none at all.
    Column("key_columns", JsonDocument, nullable=False),
    Column("append_only", Boolean, nullable=False, server_default="0"),
    Column("load_mode", String(20), nullable=False),
    Column("clean_mode", String(20), nullable=False),
    Column("ddl_mode", String(20), nullable=False),
    # Whether indexes that are no keys are carried too.
    Column("indexes", Boolean, nullable=False, server_default="0"),
    # zcbus.protocol.transforms.Transform without its defaults.
    Column("transform", JsonDocument, nullable=False, server_default="{}"),
    Column("generation", Integer, nullable=False),
    # How the desired generation begins (zcbus.protocol.tasks.Begin); NULL: as the load mode says.
    Column("begin", JsonDocument),
    Column("suspended", Boolean, nullable=False),
    # Grows with each request to retry a failed table.
    Column("retry", Integer, nullable=False, server_default="0"),
    # See zcbus.protocol.tasks.SubscribedTable.
    Column("error_limit", Integer, nullable=False, server_default="100"),
    Column("dml_skip", Integer, nullable=False, server_default="0"),
    Column("ddl_skip", Integer, nullable=False, server_default="0"),
    Column("skip_revision", Integer, nullable=False, server_default="0"),
    # How often it was given to another channel, the channels that may still have it, and the move that is done.
    Column("moves", Integer, nullable=False, server_default="0"),
    Column("came_from", JsonDocument, nullable=False, server_default="[]"),
    Column("reported_moves", Integer, nullable=False, server_default="0"),
    # What the subscribe service last reported.
    Column("state", String(30), nullable=False),
    Column("state_since", UtcTimestamp, nullable=False),
    Column("reason", JsonDocument),
    Column("reported_generation", Integer, nullable=False),
    Column("rows_total", BigInteger),
    Column("rows_loaded", BigInteger, nullable=False),
    Column("bytes_loaded", BigInteger, nullable=False, server_default="0"),
    Column("rows_per_second", Double, nullable=False),
    Column("inserts", BigInteger, nullable=False),
    Column("updates", BigInteger, nullable=False),
    Column("deletes", BigInteger, nullable=False),
    # What became of its changes on the topic (zcbus.protocol.reports.ChangeCounts); handled NULL: not counted.
    Column("changes_handled", BigInteger),
    Column("changes_skipped", BigInteger, nullable=False, server_default="0"),
    Column("changes_filtered", BigInteger, nullable=False, server_default="0"),
    Column("changes_refused", BigInteger, nullable=False, server_default="0"),
    Column("changes_epoch", BigInteger),
    Column("changes_base", BigInteger, nullable=False, server_default="0"),
    Column("changes_difference", BigInteger, nullable=False, server_default="0"),
    Column("changes_compared_at", UtcTimestamp),
    # Changes of the source's structure since the full load (zcbus.protocol.reports.SyncTableReport).
    Column("ddl_seen", Integer, nullable=False, server_default="0"),
    Column("ddl_followed", Integer, nullable=False, server_default="0"),
    Column("ddl_skipped", Integer, nullable=False, server_default="0"),
    Column("last_ddl_at", UtcTimestamp),
    # What is left of dml_skip and ddl_skip as they were at that skip_revision.
    Column("reported_skip_revision", Integer, nullable=False, server_default="0"),
    Column("dml_skip_left", Integer, nullable=False, server_default="0"),
    Column("ddl_skip_left", Integer, nullable=False, server_default="0"),
    Column("errors", BigInteger, nullable=False),
    Column("row_errors", BigInteger, nullable=False, server_default="0"),
    # When the first of the open ones was reported; NULL: there is none.
    Column("row_errors_since", UtcTimestamp),
    Column("lag_ms", BigInteger),
    Column("load_started_at", UtcTimestamp),
    Column("load_finished_at", UtcTimestamp),
    Column("last_change_at", UtcTimestamp),
    # When retention takes the oldest change that waits for the table.
    Column("expires_at", UtcTimestamp),
    Column("reported_at", UtcTimestamp),
    # Reduced (zcbus.model.reduction): the shown state, since when, and its origin; whether the last report is still
    # valid; whether its rows have errors or differences.
    Column("current_state", String(30), nullable=False, default="uninitialized", server_default="uninitialized"),
    Column("current_since", UtcTimestamp, nullable=False),
    Column("current_origin", String(20), nullable=False, default="report", server_default="report"),
    Column("is_up", Boolean, nullable=False, default=False, server_default="0"),
    Column("has_trouble", Boolean, nullable=False, default=False, server_default="0"),
    unreduced_column(),
    unreduced_index(),
    Index(None, "channel_id", "target_schema", "target_table", unique=True),
    Index(None, "channel_id", "current_state"),
    Index(None, "published_table_id"),
)

# Tables that were subscribed, by the ids that they had; where each stood is in its target, by that id.
unbound_table = Table(
    "unbound_table",
    metadata,
    id_column(),
    Column("channel_id", String(ID_LENGTH), ForeignKey("channel.id", ondelete="CASCADE"), nullable=False),
    Column(
        "published_table_id", String(ID_LENGTH), ForeignKey("published_table.id", ondelete="CASCADE"), nullable=False
    ),
    # Columns of `subscribed_table` that hold its settings (control.features.subscribe.unbound).
    Column("settings", JsonDocument, nullable=False),
    Column("unbound_at", UtcTimestamp, nullable=False),
    Index(None, "channel_id"),
    Index(None, "published_table_id"),
    Index(None, "unbound_at"),
)
