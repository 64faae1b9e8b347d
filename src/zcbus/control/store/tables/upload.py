"""Files that users upload, and users' pictures."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table, Text

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata

upload = Table(
    "upload",
    metadata,
    # The name of its content in the store, too.
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id", ondelete="CASCADE"), nullable=False),
    # Who uploads it. Without a foreign key: a file outlives the account.
    Column("user_id", String(ID_LENGTH), nullable=False),
    Column("user_name", String(50), nullable=False),
    # What it is for: 'file', 'picture', 'data' or 'driver'.
    Column("purpose", String(10), nullable=False),
    # As the uploader calls it: shown, never a path.
    Column("name", String(200), nullable=False),
    # What its content is; empty while it is received.
    Column("kind", String(10), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    # Of the content, in hexadecimal; while it is received that which the uploader named, or empty.
    Column("sha256", String(64), nullable=False),
    # 'receiving', 'ready' or 'removing'.
    Column("state", String(10), nullable=False),
    # 'local' or 'object'.
    Column("store", String(10), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
    Index(None, "state"),
)

user_avatar = Table(
    "user_avatar",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
    # WebP in base64, made by the platform.
    Column("picture", Text, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)
