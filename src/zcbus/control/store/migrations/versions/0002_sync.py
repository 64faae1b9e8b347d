"""Containers, agents, services, data sources, publish, subscribe, sync links."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "data_source",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("options", JsonDocument(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_data_source_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_source")),
    )
    op.create_index(op.f("ix_data_source_tenant_id"), "data_source", ["tenant_id"], unique=False)
    op.create_table(
        "container",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("display_name", sa.String(length=200), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["user_account.id"], name=op.f("fk_container_account_id_user_account")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_container_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_container")),
        sa.UniqueConstraint("name", name=op.f("uq_container_name")),
    )
    op.create_table(
        "customer",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("client_type", sa.String(length=20), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_customer_data_source_id_data_source")
        ),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_customer_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer")),
    )
    op.create_index(op.f("ix_customer_data_source_id"), "customer", ["data_source_id"], unique=False)
    op.create_index(op.f("ix_customer_tenant_id"), "customer", ["tenant_id"], unique=False)
    op.create_table(
        "agent",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=50), nullable=False),
        sa.Column("registered_at", UtcTimestamp(), nullable=False),
        sa.Column("heartbeat_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["container_id"], ["container.id"], name=op.f("fk_agent_container_id_container"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent")),
    )
    op.create_index(op.f("ix_agent_container_id"), "agent", ["container_id"], unique=False)
    op.create_table(
        "agent_request",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=64), nullable=True),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("is_job", sa.Boolean(), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("timeout_s", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("available_at", UtcTimestamp(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answer", JsonDocument(), nullable=True),
        sa.Column("error", JsonDocument(), nullable=True),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agent.id"], name=op.f("fk_agent_request_agent_id_agent"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["container_id"], ["container.id"], name=op.f("fk_agent_request_container_id_container"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_request")),
    )
    op.create_index(
        op.f("ix_agent_request_container_id_status_available_at"),
        "agent_request",
        ["container_id", "status", "available_at"],
        unique=False,
    )
    op.create_index(op.f("ix_agent_request_expires_at"), "agent_request", ["expires_at"], unique=False)
    op.create_table(
        "service",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=64), nullable=True),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("desired", sa.String(length=20), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("restart", sa.Integer(), nullable=False),
        sa.Column("observed", sa.String(length=20), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=True),
        sa.Column("started_at", UtcTimestamp(), nullable=True),
        sa.Column("restarts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", UtcTimestamp(), nullable=True),
        sa.Column("last_exit", sa.String(length=100), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("observed_at", UtcTimestamp(), nullable=True),
        sa.Column("observed_since", UtcTimestamp(), nullable=True),
        sa.Column("report_state", sa.String(length=20), nullable=True),
        sa.Column("report_reason", JsonDocument(), nullable=True),
        sa.Column("progress", sa.BigInteger(), nullable=False),
        sa.Column("progress_at", UtcTimestamp(), nullable=True),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("lag_ms", sa.BigInteger(), nullable=True),
        sa.Column("backlog_bytes", sa.BigInteger(), nullable=True),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agent.id"], name=op.f("fk_service_agent_id_agent"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["container_id"], ["container.id"], name=op.f("fk_service_container_id_container")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_service_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service")),
    )
    op.create_index(op.f("ix_service_agent_id"), "service", ["agent_id"], unique=False)
    op.create_index(op.f("ix_service_container_id_agent_id"), "service", ["container_id", "agent_id"], unique=False)
    op.create_index(op.f("ix_service_tenant_id"), "service", ["tenant_id"], unique=False)
    op.create_table(
        "publish_node",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("retention_hours", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_publish_node_data_source_id_data_source")
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_publish_node_service_id_service")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_publish_node_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publish_node")),
        sa.UniqueConstraint("service_id", name=op.f("uq_publish_node_service_id")),
    )
    op.create_index(op.f("ix_publish_node_data_source_id"), "publish_node", ["data_source_id"], unique=False)
    op.create_index(op.f("ix_publish_node_tenant_id"), "publish_node", ["tenant_id"], unique=False)
    op.create_table(
        "service_attempt",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("started_at", UtcTimestamp(), nullable=False),
        sa.Column("ended_at", UtcTimestamp(), nullable=False),
        sa.Column("result", sa.String(length=100), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.ForeignKeyConstraint(
            ["service_id"], ["service.id"], name=op.f("fk_service_attempt_service_id_service"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_attempt")),
    )
    op.create_index(
        op.f("ix_service_attempt_service_id_started_at"), "service_attempt", ["service_id", "started_at"], unique=True
    )
    op.create_table(
        "master",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("node_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("load_type", sa.String(length=1), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customer.id"], name=op.f("fk_master_customer_id_customer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["node_id"], ["publish_node.id"], name=op.f("fk_master_node_id_publish_node")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_master")),
    )
    op.create_index(op.f("ix_master_customer_id"), "master", ["customer_id"], unique=False)
    op.create_index(op.f("ix_master_node_id"), "master", ["node_id"], unique=False)
    op.create_table(
        "published_table",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("node_id", sa.String(length=32), nullable=False),
        sa.Column("schema_name", sa.String(length=255), nullable=False),
        sa.Column("table_name", sa.String(length=255), nullable=False),
        sa.Column("key_columns", JsonDocument(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("state_since", UtcTimestamp(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_read", sa.BigInteger(), nullable=False),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["node_id"], ["publish_node.id"], name=op.f("fk_published_table_node_id_publish_node"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_published_table")),
    )
    op.create_index(
        op.f("ix_published_table_node_id_schema_name_table_name"),
        "published_table",
        ["node_id", "schema_name", "table_name"],
        unique=True,
    )
    op.create_table(
        "sync_link",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("node_id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("desired", sa.String(length=20), nullable=False),
        sa.Column("document", JsonDocument(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["container_id"], ["container.id"], name=op.f("fk_sync_link_container_id_container")),
        sa.ForeignKeyConstraint(["customer_id"], ["customer.id"], name=op.f("fk_sync_link_customer_id_customer")),
        sa.ForeignKeyConstraint(["node_id"], ["publish_node.id"], name=op.f("fk_sync_link_node_id_publish_node")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_sync_link_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sync_link")),
    )
    op.create_index(op.f("ix_sync_link_customer_id"), "sync_link", ["customer_id"], unique=False)
    op.create_index(op.f("ix_sync_link_node_id"), "sync_link", ["node_id"], unique=False)
    op.create_index(op.f("ix_sync_link_tenant_id_name"), "sync_link", ["tenant_id", "name"], unique=True)
    op.create_table(
        "channel",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("master_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("load_threads", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["master_id"], ["master.id"], name=op.f("fk_channel_master_id_master"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_channel_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channel")),
        sa.UniqueConstraint("service_id", name=op.f("uq_channel_service_id")),
    )
    op.create_index(op.f("ix_channel_master_id_name"), "channel", ["master_id", "name"], unique=True)
    op.create_table(
        "subscribed_table",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("target_schema", sa.String(length=128), nullable=False),
        sa.Column("target_table", sa.String(length=128), nullable=False),
        sa.Column("columns", JsonDocument(), nullable=False),
        sa.Column("key_columns", JsonDocument(), nullable=False),
        sa.Column("load_mode", sa.String(length=20), nullable=False),
        sa.Column("clean_mode", sa.String(length=20), nullable=False),
        sa.Column("ddl_mode", sa.String(length=20), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("state_since", UtcTimestamp(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_loaded", sa.BigInteger(), nullable=False),
        sa.Column("rows_per_second", sa.Double(), nullable=False),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        sa.Column("lag_ms", sa.BigInteger(), nullable=True),
        sa.Column("load_started_at", UtcTimestamp(), nullable=True),
        sa.Column("load_finished_at", UtcTimestamp(), nullable=True),
        sa.Column("last_change_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channel.id"], name=op.f("fk_subscribed_table_channel_id_channel"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["published_table_id"],
            ["published_table.id"],
            name=op.f("fk_subscribed_table_published_table_id_published_table"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscribed_table")),
    )
    op.create_index(
        op.f("ix_subscribed_table_channel_id_state"), "subscribed_table", ["channel_id", "state"], unique=False
    )
    op.create_index(
        op.f("ix_subscribed_table_channel_id_target_schema_target_table"),
        "subscribed_table",
        ["channel_id", "target_schema", "target_table"],
        unique=True,
    )
    op.create_index(
        op.f("ix_subscribed_table_published_table_id"), "subscribed_table", ["published_table_id"], unique=False
    )
    op.create_table(
        "sync_task",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("link_id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["channel_id"], ["channel.id"], name=op.f("fk_sync_task_channel_id_channel")),
        sa.ForeignKeyConstraint(
            ["link_id"], ["sync_link.id"], name=op.f("fk_sync_task_link_id_sync_link"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sync_task")),
    )
    op.create_index(op.f("ix_sync_task_channel_id"), "sync_task", ["channel_id"], unique=True)
    op.create_index(op.f("ix_sync_task_link_id"), "sync_task", ["link_id"], unique=False)
