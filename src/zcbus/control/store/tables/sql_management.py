"""Statements that people save, and what they ran."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata

sql_statement = Table(
    "sql_statement",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("description", String(30), nullable=False),
    Column("statement", Text, nullable=False),
    # The data source that it is usually run against, which may be gone; empty: none.
    Column("database_id", String(ID_LENGTH), nullable=False),
    Column("updated_by", String(50), nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("tenant_id", "description"),
)

# Names are kept as they were: the database may be gone.
sql_run = Table(
    "sql_run",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", String(ID_LENGTH), nullable=False),
    Column("ran_at", UtcTimestamp, nullable=False),
    Column("database_id", String(ID_LENGTH), nullable=False),
    Column("database_name", String(200), nullable=False),
    Column("statement", Text, nullable=False),
    # 'read', 'plan' or 'change'.
    Column("mode", String(10), nullable=False),
    # 'running', 'done', 'failed' or 'cancelled'.
    Column("result", String(10), nullable=False),
    # Answered, or changed.
    Column("rows", Integer, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    # {code, facts}; NULL: it did not fail.
    Column("reason", JsonDocument),
    Index(None, "user_id", "ran_at"),
    Index(None, "tenant_id"),
    Index(None, "ran_at"),
)
