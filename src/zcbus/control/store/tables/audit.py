"""The operation log: who did what, from where, with what result."""

from sqlalchemy import Column, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

# No foreign keys: a record outlives the user and the tenant it speaks of.
audit_record = Table(
    "audit_record",
    metadata,
    id_column(),
    Column("recorded_at", UtcTimestamp, nullable=False),
    Column("tenant_id", String(ID_LENGTH)),
    Column("user_id", String(ID_LENGTH)),
    Column("user_name", String(50)),
    Column("address", String(64)),
    Column("request_id", String(ID_LENGTH), nullable=False),
    # The operation id of the call, as in the OpenAPI document.
    Column("action", String(100), nullable=False),
    Column("path", String(300), nullable=False),
    Column("subject", String(300)),
    Column("before", JsonDocument),
    Column("after", JsonDocument),
    # 'done' or 'failed'; a failed call names its error code. 'begun': it runs, or the platform ended meanwhile.
    Column("result", String(10), nullable=False),
    Column("error_code", String(100)),
    Index(None, "tenant_id", "recorded_at"),
    Index(None, "recorded_at"),
)
