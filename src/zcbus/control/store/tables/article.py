"""Help articles of tenants: their own, and their texts in place of shipped pages."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata

# The draft. Titles are the texts' first headings, for lists and searches.
article = Table(
    "article",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # A shipped page's, or own/… of an own one.
    Column("name", String(200), nullable=False),
    Column("zh", Text, nullable=False),
    Column("en", Text, nullable=False),
    Column("title_zh", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    # Digest of the shipped page that the author last saw; empty: there was none.
    Column("shipped", String(64), nullable=False),
    # Counts the changes of the row, so that two authors don't overwrite each other.
    Column("revision", Integer, nullable=False),
    # Number of the version that readers see; NULL: none.
    Column("published", Integer),
    # Whether the draft differs from the version that was made last.
    Column("changed", Boolean, nullable=False),
    # Where readers find an own article: before or behind the shipped pages, the lowest first.
    Column("before_shipped", Boolean, nullable=False, server_default="0"),
    Column("place", Integer, nullable=False, server_default="0"),
    Column("updated_by", String(50), nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("tenant_id", "name"),
)

# Never changed.
article_version = Table(
    "article_version",
    metadata,
    Column("article_id", String(ID_LENGTH), ForeignKey("article.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("zh", Text, nullable=False),
    Column("en", Text, nullable=False),
    Column("title_zh", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("note", String(200), nullable=False),
    Column("created_by", String(50), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
)
