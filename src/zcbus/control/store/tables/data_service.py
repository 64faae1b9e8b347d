"""Data services, their API groups, APIs with versions, the apps that may call, and the calls that were answered."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, UniqueConstraint

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata
from zcbus.control.store.sealed import Sealed

data_service = Table(
    "data_service",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("service_id", String(ID_LENGTH), ForeignKey("service.id"), nullable=False, unique=True),
    Column("name", String(100), nullable=False),
    # Address of the host that is listened on.
    Column("host", String(255), nullable=False),
    Column("port", Integer, nullable=False),
    # Calls that were not reported, because more came than agents keep.
    Column("calls_dropped", BigInteger, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    UniqueConstraint("tenant_id", "name"),
)

api_group = Table(
    "api_group",
    metadata,
    id_column(),
    Column("data_service_id", String(ID_LENGTH), ForeignKey("data_service.id"), nullable=False),
    # Of all its APIs.
    Column("data_source_id", String(ID_LENGTH), ForeignKey("data_source.id"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("prefix", String(100), nullable=False),
    Column("owner", String(100), nullable=False),
    Column("remark", String(200), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("data_service_id", "prefix"),
    Index(None, "data_source_id"),
)

api = Table(
    "api",
    metadata,
    id_column(),
    Column("group_id", String(ID_LENGTH), ForeignKey("api_group.id"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("path", String(100), nullable=False),
    Column("remark", String(200), nullable=False),
    # What is edited: statement, parameters, limits, cache.
    Column("draft", JsonDocument, nullable=False),
    # The number of the version that callers get; NULL: none.
    Column("published", Integer),
    # The number of the newest version; 0: there is none.
    Column("versions", Integer, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("group_id", "path"),
)

api_version = Table(
    "api_version",
    metadata,
    Column("api_id", String(ID_LENGTH), ForeignKey("api.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    # As it was published; never changes.
    Column("definition", JsonDocument, nullable=False),
    Column("made_at", UtcTimestamp, nullable=False),
    Column("made_by", String(50), nullable=False),
)

api_app = Table(
    "api_app",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("key", String(40), nullable=False, unique=True),
    # SHA-256 of the secret, encrypted.
    Column("sealed_hash", Sealed("api-app:{key}:secret-hash"), nullable=False),
    Column("addresses", JsonDocument, nullable=False),
    Column("per_minute", Integer),
    Column("enabled", Boolean, nullable=False),
    Column("expires_at", UtcTimestamp),
    Column("remark", String(200), nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    UniqueConstraint("tenant_id", "name"),
)

api_grant = Table(
    "api_grant",
    metadata,
    Column("app_id", String(ID_LENGTH), ForeignKey("api_app.id", ondelete="CASCADE"), primary_key=True),
    Column("api_id", String(ID_LENGTH), ForeignKey("api.id", ondelete="CASCADE"), primary_key=True),
    Index(None, "api_id"),
)

# Names at the time of the call: they outlive the API and the app.
api_log = Table(
    "api_log",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), nullable=False),
    Column("data_service_id", String(ID_LENGTH), nullable=False),
    Column("called_at", UtcTimestamp, nullable=False),
    # Empty where there is no API at the path, or the caller was not authenticated.
    Column("api_id", String(ID_LENGTH), nullable=False),
    Column("api_name", String(100), nullable=False),
    Column("version", Integer, nullable=False),
    Column("app_id", String(ID_LENGTH), nullable=False),
    Column("app_name", String(100), nullable=False),
    Column("method", String(10), nullable=False),
    Column("path", String(300), nullable=False),
    Column("address", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    Column("cached", Boolean, nullable=False),
    Column("reason", JsonDocument),
    Index(None, "tenant_id", "called_at"),
    Index(None, "called_at"),
)
