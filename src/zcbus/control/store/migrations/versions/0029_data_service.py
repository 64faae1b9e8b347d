"""Data services with their API groups, APIs, apps and the log of calls."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "api_log",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("data_service_id", sa.String(length=32), nullable=False),
        sa.Column("called_at", UtcTimestamp(), nullable=False),
        sa.Column("api_id", sa.String(length=32), nullable=False),
        sa.Column("api_name", sa.String(length=100), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.String(length=32), nullable=False),
        sa.Column("app_name", sa.String(length=100), nullable=False),
        sa.Column("method", sa.String(length=10), nullable=False),
        sa.Column("path", sa.String(length=300), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_log")),
    )
    op.create_index(op.f("ix_api_log_called_at"), "api_log", ["called_at"], unique=False)
    op.create_index(op.f("ix_api_log_tenant_id_called_at"), "api_log", ["tenant_id", "called_at"], unique=False)
    op.create_table(
        "api_app",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("sealed_hash", sa.Text(), nullable=False),
        sa.Column("addresses", JsonDocument(), nullable=False),
        sa.Column("per_minute", sa.Integer(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=True),
        sa.Column("remark", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_api_app_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_app")),
        sa.UniqueConstraint("key", name=op.f("uq_api_app_key")),
        sa.UniqueConstraint("tenant_id", "name", name=op.f("uq_api_app_tenant_id_name")),
    )
    op.create_table(
        "data_service",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("calls_dropped", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_data_service_service_id_service")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_data_service_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_service")),
        sa.UniqueConstraint("service_id", name=op.f("uq_data_service_service_id")),
        sa.UniqueConstraint("tenant_id", "name", name=op.f("uq_data_service_tenant_id_name")),
    )
    op.create_table(
        "api_group",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("data_service_id", sa.String(length=32), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("prefix", sa.String(length=100), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("remark", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_service_id"], ["data_service.id"], name=op.f("fk_api_group_data_service_id_data_service")
        ),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_api_group_data_source_id_data_source")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_group")),
        sa.UniqueConstraint("data_service_id", "prefix", name=op.f("uq_api_group_data_service_id_prefix")),
    )
    op.create_index(op.f("ix_api_group_data_source_id"), "api_group", ["data_source_id"], unique=False)
    op.create_table(
        "api",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("group_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("path", sa.String(length=100), nullable=False),
        sa.Column("remark", sa.String(length=200), nullable=False),
        sa.Column("draft", JsonDocument(), nullable=False),
        sa.Column("published", sa.Integer(), nullable=True),
        sa.Column("versions", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["api_group.id"], name=op.f("fk_api_group_id_api_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api")),
        sa.UniqueConstraint("group_id", "path", name=op.f("uq_api_group_id_path")),
    )
    op.create_table(
        "api_grant",
        sa.Column("app_id", sa.String(length=32), nullable=False),
        sa.Column("api_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["api_id"], ["api.id"], name=op.f("fk_api_grant_api_id_api"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["app_id"], ["api_app.id"], name=op.f("fk_api_grant_app_id_api_app"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("app_id", "api_id", name=op.f("pk_api_grant")),
    )
    op.create_index(op.f("ix_api_grant_api_id"), "api_grant", ["api_id"], unique=False)
    op.create_table(
        "api_version",
        sa.Column("api_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("definition", JsonDocument(), nullable=False),
        sa.Column("made_at", UtcTimestamp(), nullable=False),
        sa.Column("made_by", sa.String(length=50), nullable=False),
        sa.ForeignKeyConstraint(["api_id"], ["api.id"], name=op.f("fk_api_version_api_id_api"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("api_id", "number", name=op.f("pk_api_version")),
    )
