"""Names of published tables' columns, for the search."""

from sqlalchemy import Column, ForeignKey, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, metadata

# Tables whose columns were asked for, and when they are to be asked for again.
described_table = Table(
    "described_table",
    metadata,
    Column("table_id", String(ID_LENGTH), ForeignKey("published_table.id", ondelete="CASCADE"), primary_key=True),
    Column("due_at", UtcTimestamp, nullable=False),
    Index(None, "due_at"),
)

published_column = Table(
    "published_column",
    metadata,
    Column("table_id", String(ID_LENGTH), ForeignKey("published_table.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(255), primary_key=True),
    # In lower case: to fold 100,000 names for each search takes longer than to search them.
    Column("folded", String(300), nullable=False),
)
