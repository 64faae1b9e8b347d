"""All tables as the first release has them."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0001"
down_revision = None
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
        "audit_record",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("recorded_at", UtcTimestamp(), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=True),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("user_name", sa.String(length=50), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("request_id", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("path", sa.String(length=300), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=True),
        sa.Column("before", JsonDocument(), nullable=True),
        sa.Column("after", JsonDocument(), nullable=True),
        sa.Column("result", sa.String(length=10), nullable=False),
        sa.Column("error_code", sa.String(length=100), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_record")),
    )
    op.create_index(op.f("ix_audit_record_recorded_at"), "audit_record", ["recorded_at"], unique=False)
    op.create_index(
        op.f("ix_audit_record_tenant_id_recorded_at"), "audit_record", ["tenant_id", "recorded_at"], unique=False
    )
    op.create_table(
        "call_progress",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("step", sa.String(length=40), nullable=True),
        sa.Column("step_begun_at", UtcTimestamp(), nullable=True),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("begun_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_progress")),
    )
    op.create_index(op.f("ix_call_progress_begun_at"), "call_progress", ["begun_at"], unique=False)
    op.create_index(op.f("ix_call_progress_user_id_key"), "call_progress", ["user_id", "key"], unique=True)
    op.create_table(
        "captcha",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("answer_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_captcha")),
    )
    op.create_index(op.f("ix_captcha_expires_at"), "captcha", ["expires_at"], unique=False)
    op.create_table(
        "dictionary",
        sa.Column("dict_type", sa.String(length=100), nullable=False),
        sa.Column("display_name", sa.String(length=100), nullable=False),
        sa.Column("display_en_name", sa.String(length=100), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("dict_type", name=op.f("pk_dictionary")),
    )
    op.create_table(
        "login_failure",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("place", sa.String(length=64), nullable=False),
        sa.Column("is_known", sa.Boolean(), nullable=False),
        sa.Column("failed_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failure")),
    )
    op.create_index(
        op.f("ix_login_failure_account_place_failed_at"),
        "login_failure",
        ["account", "place", "failed_at"],
        unique=False,
    )
    op.create_index(op.f("ix_login_failure_failed_at"), "login_failure", ["failed_at"], unique=False)
    op.create_index(op.f("ix_login_failure_place_failed_at"), "login_failure", ["place", "failed_at"], unique=False)
    op.create_table(
        "opened_body",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("opened_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_opened_body")),
    )
    op.create_index(op.f("ix_opened_body_opened_at"), "opened_body", ["opened_at"], unique=False)
    op.create_table(
        "menu_entry",
        sa.Column("menu_key", sa.String(length=100), nullable=False),
        sa.Column("parent_key", sa.String(length=100), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("title_zh", sa.String(length=50), nullable=True),
        sa.Column("title_en", sa.String(length=50), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("own_group", sa.Boolean(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("menu_key", name=op.f("pk_menu_entry")),
    )
    op.create_table(
        "role",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=50), nullable=False),
        sa.Column("name_zh", sa.String(length=50), nullable=False),
        sa.Column("name_en", sa.String(length=50), nullable=False),
        sa.Column("spans_tenants", sa.Boolean(), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=True),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role")),
        sa.UniqueConstraint("code", name=op.f("uq_role_code")),
    )
    op.create_table(
        "socket_ticket",
        sa.Column("ticket_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("target", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("user_name", sa.String(length=50), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=True),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("ticket_hash", name=op.f("pk_socket_ticket")),
    )
    op.create_index(op.f("ix_socket_ticket_expires_at"), "socket_ticket", ["expires_at"], unique=False)
    op.create_table(
        "system_parameter",
        sa.Column("variable_name", sa.String(length=100), nullable=False),
        sa.Column("value", JsonDocument(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("variable_name", name=op.f("pk_system_parameter")),
    )
    op.create_table(
        "tenant",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("display_name", sa.String(length=200), nullable=False),
        sa.Column("status", sa.String(length=1), server_default="0", nullable=False),
        sa.Column("contact", sa.String(length=50), nullable=True),
        sa.Column("phone", sa.String(length=20), nullable=True),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenant")),
        sa.UniqueConstraint("name", name=op.f("uq_tenant_name")),
    )
    op.create_table(
        "alert",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("customer_name", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("facts", JsonDocument(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("mark", sa.String(length=100), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("link_id", sa.String(length=32), nullable=True),
        sa.Column("task_id", sa.String(length=32), nullable=True),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("record_time", UtcTimestamp(), nullable=False),
        sa.Column("update_time", UtcTimestamp(), nullable=False),
        sa.Column("recovered_time", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_alert_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
    )
    op.create_index(op.f("ix_alert_recovered_time"), "alert", ["recovered_time"], unique=False)
    op.create_index(
        op.f("ix_alert_tenant_id_status_update_time"), "alert", ["tenant_id", "status", "update_time"], unique=False
    )
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
        "data_source",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("options", JsonDocument(), nullable=False),
        sa.Column("secrets", JsonDocument(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_data_source_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_source")),
    )
    op.create_index(op.f("ix_data_source_tenant_id"), "data_source", ["tenant_id"], unique=False)
    op.create_table(
        "department",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["department.id"], name=op.f("fk_department_parent_id_department")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_department_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_department")),
    )
    op.create_index(op.f("ix_department_tenant_id"), "department", ["tenant_id"], unique=False)
    op.create_table(
        "dictionary_item",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("dict_type", sa.String(length=100), nullable=False),
        sa.Column("display_key", sa.String(length=100), nullable=False),
        sa.Column("display_value", sa.String(length=200), nullable=False),
        sa.Column("display_name", sa.String(length=100), nullable=False),
        sa.Column("display_en_name", sa.String(length=100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dict_type"],
            ["dictionary.dict_type"],
            name=op.f("fk_dictionary_item_dict_type_dictionary"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dictionary_item")),
        sa.UniqueConstraint("dict_type", "display_key", name=op.f("uq_dictionary_item_dict_type_display_key")),
    )
    op.create_table(
        "ended_call",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("facts", JsonDocument(), nullable=False),
        sa.Column("error_code", sa.String(length=100), nullable=True),
        sa.Column("ended_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], name=op.f("fk_ended_call_tenant_id_tenant"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ended_call")),
    )
    op.create_table(
        "role_permission",
        sa.Column("role_id", sa.String(length=32), nullable=False),
        sa.Column("menu_key", sa.String(length=100), nullable=False),
        sa.Column("operation", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["role_id"], ["role.id"], name=op.f("fk_role_permission_role_id_role"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("role_id", "menu_key", "operation", name=op.f("pk_role_permission")),
    )
    op.create_table(
        "strategy",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("product_name", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_strategy_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strategy")),
    )
    op.create_index(op.f("ix_strategy_tenant_id_product_name"), "strategy", ["tenant_id", "product_name"], unique=True)
    op.create_table(
        "user_account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("user_name", sa.String(length=50), nullable=False),
        sa.Column("nick_name", sa.String(length=10), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("status", sa.String(length=1), nullable=False),
        sa.Column("user_type", sa.String(length=4), nullable=False),
        sa.Column("must_change_password", sa.Boolean(), nullable=False),
        sa.Column("phone", sa.String(length=13), nullable=True),
        sa.Column("email", sa.String(length=100), nullable=True),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("document_type", sa.String(length=1), nullable=True),
        sa.Column("id_number", sa.String(length=18), nullable=True),
        sa.Column("dept_id", sa.String(length=32), nullable=True),
        sa.Column("client_remote", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_user_account_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
        sa.UniqueConstraint("user_name", name=op.f("uq_user_account_user_name")),
    )
    op.create_index(op.f("ix_user_account_tenant_id"), "user_account", ["tenant_id"], unique=False)
    op.create_table(
        "container",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("display_name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("moves_services", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("sealed_properties", sa.Text(), nullable=True),
        sa.Column("properties", JsonDocument(), nullable=True),
        sa.Column("network", JsonDocument(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
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
        "user_role",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("role_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["role_id"], ["role.id"], name=op.f("fk_user_role_role_id_role"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_user_role_user_id_user_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "role_id", name=op.f("pk_user_role")),
    )
    op.create_table(
        "user_session",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("agent", sa.String(length=300), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("used_at", UtcTimestamp(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=True),
        sa.Column("revoked_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_user_session_user_id_user_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_user_session_token_hash")),
    )
    op.create_index(op.f("ix_user_session_expires_at"), "user_session", ["expires_at"], unique=False)
    op.create_index(op.f("ix_user_session_user_id"), "user_session", ["user_id"], unique=False)
    op.create_table(
        "known_device",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("device_hash", sa.String(length=64), nullable=False),
        sa.Column("seen_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_known_device_user_id_user_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "device_hash", name=op.f("pk_known_device")),
    )
    op.create_index(op.f("ix_known_device_device_hash"), "known_device", ["device_hash"], unique=False)
    op.create_index(op.f("ix_known_device_seen_at"), "known_device", ["seen_at"], unique=False)
    op.create_table(
        "user_setting",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("value", JsonDocument(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_user_setting_user_id_user_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "name", name=op.f("pk_user_setting")),
    )
    op.create_table(
        "agent",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=50), nullable=False),
        sa.Column("registered_at", UtcTimestamp(), nullable=False),
        sa.Column("heartbeat_at", UtcTimestamp(), nullable=False),
        sa.Column("orders_revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("contact_since", UtcTimestamp(), nullable=True),
        sa.Column("leased", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("bus", sa.String(length=500), nullable=True),
        sa.Column("cpu_percent", sa.Double(), nullable=True),
        sa.Column("memory_used", sa.BigInteger(), nullable=True),
        sa.Column("memory_total", sa.BigInteger(), nullable=True),
        sa.Column("disk_used", sa.BigInteger(), nullable=True),
        sa.Column("disk_total", sa.BigInteger(), nullable=True),
        sa.Column("machine_code", sa.String(length=64), server_default="", nullable=False),
        sa.Column("serial_number", sa.String(length=100), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["container_id"], ["container.id"], name=op.f("fk_agent_container_id_container"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent")),
    )
    op.create_index(op.f("ix_agent_container_id"), "agent", ["container_id"], unique=False)
    op.create_table(
        "customer_database",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("load_type", sa.String(length=1), server_default="C", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customer.id"], name=op.f("fk_customer_database_customer_id_customer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_customer_database_data_source_id_data_source")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer_database")),
        sa.UniqueConstraint("data_source_id", name=op.f("uq_customer_database_data_source_id")),
    )
    op.create_index(
        op.f("ix_customer_database_customer_id_name"), "customer_database", ["customer_id", "name"], unique=True
    )
    op.create_table(
        "host_account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=64), nullable=True),
        sa.Column("host", sa.String(length=255), nullable=True),
        sa.Column("machine_code", sa.String(length=64), nullable=True),
        sa.Column("certified", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("removed_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["container_id"], ["container.id"], name=op.f("fk_host_account_container_id_container"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_account")),
    )
    op.create_index(op.f("ix_host_account_agent_id"), "host_account", ["agent_id"], unique=False)
    op.create_index(op.f("ix_host_account_container_id"), "host_account", ["container_id"], unique=False)
    op.create_table(
        "host_token",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["host_account.id"], name=op.f("fk_host_token_account_id_host_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_host_token_token_hash")),
    )
    op.create_index(op.f("ix_host_token_account_id"), "host_token", ["account_id"], unique=False)
    op.create_table(
        "join_token",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["container_id"], ["container.id"], name=op.f("fk_join_token_container_id_container"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_join_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_join_token_token_hash")),
    )
    op.create_index(op.f("ix_join_token_expires_at"), "join_token", ["expires_at"], unique=False)
    op.create_table(
        "strategy_customer",
        sa.Column("strategy_id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("given_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customer.id"], name=op.f("fk_strategy_customer_customer_id_customer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["strategy_id"], ["strategy.id"], name=op.f("fk_strategy_customer_strategy_id_strategy"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("strategy_id", "customer_id", name=op.f("pk_strategy_customer")),
    )
    op.create_index(op.f("ix_strategy_customer_customer_id"), "strategy_customer", ["customer_id"], unique=False)
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
        sa.Column("done", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
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
        "machine",
        sa.Column("device_id", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("user_name", sa.String(length=100), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("host_key", sa.Text(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["device_id"], ["agent.id"], name=op.f("fk_machine_device_id_agent"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("device_id", name=op.f("pk_machine")),
    )
    op.create_table(
        "service",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=64), nullable=True),
        sa.Column("pinned", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("next_agent_id", sa.String(length=64), nullable=True),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("log_level", sa.String(length=10), server_default="info", nullable=False),
        sa.Column("remark", sa.String(length=200), server_default="", nullable=False),
        sa.Column("removed_at", UtcTimestamp(), nullable=True),
        sa.Column("desired", sa.String(length=20), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("restart", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
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
        sa.Column("report_since", UtcTimestamp(), nullable=True),
        sa.Column("report_reason", JsonDocument(), nullable=True),
        sa.Column("progress", sa.BigInteger(), nullable=False),
        sa.Column("progress_at", UtcTimestamp(), nullable=True),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("lag_ms", sa.BigInteger(), nullable=True),
        sa.Column("backlog_bytes", sa.BigInteger(), nullable=True),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("feed", JsonDocument(), nullable=True),
        sa.Column("came_at", UtcTimestamp(), nullable=True),
        sa.Column("came_ms", sa.BigInteger(), nullable=True),
        sa.Column("went_at", UtcTimestamp(), nullable=True),
        sa.Column("went_ms", sa.BigInteger(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("current_state", sa.String(length=30), server_default="stopped", nullable=False),
        sa.Column("current_since", UtcTimestamp(), nullable=False),
        sa.Column("worker", sa.String(length=20), server_default="at-rest", nullable=False),
        sa.Column("worker_started_at", UtcTimestamp(), nullable=True),
        sa.Column("has_run", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
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
    op.create_index(
        op.f("ix_service_unreduced"),
        "service",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
    )
    op.create_table(
        "computation",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("database_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("key_columns", JsonDocument(), nullable=False),
        sa.Column("interval_ms", sa.Integer(), nullable=False),
        sa.Column("target_schema", sa.String(length=128), nullable=False),
        sa.Column("target_table", sa.String(length=128), nullable=False),
        sa.Column("most_rows", sa.BigInteger(), nullable=False),
        sa.Column("most_state_mb", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("retry", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("input_rows", JsonDocument(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=True),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("state_bytes", sa.BigInteger(), nullable=True),
        sa.Column("computed_ms", sa.Integer(), nullable=True),
        sa.Column("computed_at", UtcTimestamp(), nullable=True),
        sa.Column("lag_ms", sa.BigInteger(), nullable=True),
        sa.Column("last_change_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.Column("current_state", sa.String(length=30), server_default="uninitialized", nullable=False),
        sa.Column("current_since", UtcTimestamp(), nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customer.id"], name=op.f("fk_computation_customer_id_customer")),
        sa.ForeignKeyConstraint(
            ["database_id"], ["customer_database.id"], name=op.f("fk_computation_database_id_customer_database")
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_computation_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_computation")),
        sa.UniqueConstraint("service_id", name=op.f("uq_computation_service_id")),
    )
    op.create_index(op.f("ix_computation_customer_id_name"), "computation", ["customer_id", "name"], unique=True)
    op.create_index(
        op.f("ix_computation_database_id_target_schema_target_table"),
        "computation",
        ["database_id", "target_schema", "target_table"],
        unique=True,
    )
    op.create_index(
        op.f("ix_computation_unreduced"),
        "computation",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
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
        "publish_node",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("retention_hours", sa.Integer(), nullable=False),
        sa.Column("json_topic", sa.String(length=100), nullable=True),
        sa.Column("held_log_gb", sa.Integer(), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_publish_node_data_source_id_data_source")
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_publish_node_service_id_service")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_publish_node_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publish_node")),
        sa.UniqueConstraint("json_topic", name=op.f("uq_publish_node_json_topic")),
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
        "master",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("customer_id", sa.String(length=32), nullable=False),
        sa.Column("node_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("load_type", sa.String(length=1), nullable=False),
        sa.Column("data_source_id", sa.String(length=32), nullable=True),
        sa.Column("settings", JsonDocument(), server_default="{}", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customer.id"], name=op.f("fk_master_customer_id_customer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["data_source_id"], ["data_source.id"], name=op.f("fk_master_data_source_id_data_source")
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
        sa.Column("append_only", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("gap", sa.Integer(), server_default="0", nullable=False),
        sa.Column("stopped_generation", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("state_since", UtcTimestamp(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_read", sa.BigInteger(), nullable=False),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("delay_ms", sa.BigInteger(), nullable=True),
        sa.Column("last_change_at", UtcTimestamp(), nullable=True),
        sa.Column("expires_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.Column("current_state", sa.String(length=30), server_default="uninitialized", nullable=False),
        sa.Column("current_since", UtcTimestamp(), nullable=False),
        sa.Column("current_origin", sa.String(length=20), server_default="report", nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
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
    op.create_index(
        op.f("ix_published_table_unreduced"),
        "published_table",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
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
        sa.Column("current_state", sa.String(length=30), server_default="stopped", nullable=False),
        sa.Column("current_since", UtcTimestamp(), nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["container_id"], ["container.id"], name=op.f("fk_sync_link_container_id_container")),
        sa.ForeignKeyConstraint(["customer_id"], ["customer.id"], name=op.f("fk_sync_link_customer_id_customer")),
        sa.ForeignKeyConstraint(["node_id"], ["publish_node.id"], name=op.f("fk_sync_link_node_id_publish_node")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_sync_link_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sync_link")),
    )
    op.create_index(op.f("ix_sync_link_customer_id"), "sync_link", ["customer_id"], unique=False)
    op.create_index(op.f("ix_sync_link_node_id"), "sync_link", ["node_id"], unique=False)
    op.create_index(op.f("ix_sync_link_tenant_id_name"), "sync_link", ["tenant_id", "name"], unique=True)
    op.create_index(
        op.f("ix_sync_link_unreduced"),
        "sync_link",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
    )
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
        "channel",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("master_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("load_threads", sa.Integer(), nullable=False),
        sa.Column("apply_lanes", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("current_state", sa.String(length=30), server_default="not-enabled", nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(
            ["master_id"], ["master.id"], name=op.f("fk_channel_master_id_master"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_channel_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channel")),
        sa.UniqueConstraint("service_id", name=op.f("uq_channel_service_id")),
    )
    op.create_index(op.f("ix_channel_master_id_name"), "channel", ["master_id", "name"], unique=True)
    op.create_index(
        op.f("ix_channel_unreduced"),
        "channel",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
    )
    op.create_table(
        "computation_input",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("computation_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.ForeignKeyConstraint(
            ["computation_id"],
            ["computation.id"],
            name=op.f("fk_computation_input_computation_id_computation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["published_table_id"],
            ["published_table.id"],
            name=op.f("fk_computation_input_published_table_id_published_table"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_computation_input")),
    )
    op.create_index(
        op.f("ix_computation_input_computation_id_name"), "computation_input", ["computation_id", "name"], unique=True
    )
    op.create_index(
        op.f("ix_computation_input_published_table_id"), "computation_input", ["published_table_id"], unique=False
    )
    op.create_table(
        "contrast",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("master_id", sa.String(length=32), nullable=False),
        sa.Column("service_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["master_id"], ["master.id"], name=op.f("fk_contrast_master_id_master"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["service_id"], ["service.id"], name=op.f("fk_contrast_service_id_service")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contrast")),
        sa.UniqueConstraint("master_id", name=op.f("uq_contrast_master_id")),
        sa.UniqueConstraint("service_id", name=op.f("uq_contrast_service_id")),
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
    op.create_table(
        "subscribed_table",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("target_schema", sa.String(length=128), nullable=False),
        sa.Column("target_table", sa.String(length=128), nullable=False),
        sa.Column("columns", JsonDocument(), nullable=False),
        sa.Column("key_columns", JsonDocument(), nullable=False),
        sa.Column("append_only", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("load_mode", sa.String(length=20), nullable=False),
        sa.Column("clean_mode", sa.String(length=20), nullable=False),
        sa.Column("ddl_mode", sa.String(length=20), nullable=False),
        sa.Column("indexes", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("transform", JsonDocument(), server_default="{}", nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("begin", JsonDocument(), nullable=True),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("retry", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error_limit", sa.Integer(), server_default="100", nullable=False),
        sa.Column("dml_skip", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ddl_skip", sa.Integer(), server_default="0", nullable=False),
        sa.Column("skip_revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("moves", sa.Integer(), server_default="0", nullable=False),
        sa.Column("came_from", JsonDocument(), server_default="[]", nullable=False),
        sa.Column("reported_moves", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("state_since", UtcTimestamp(), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_generation", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_loaded", sa.BigInteger(), nullable=False),
        sa.Column("bytes_loaded", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("rows_per_second", sa.Double(), nullable=False),
        sa.Column("inserts", sa.BigInteger(), nullable=False),
        sa.Column("updates", sa.BigInteger(), nullable=False),
        sa.Column("deletes", sa.BigInteger(), nullable=False),
        sa.Column("ddl_seen", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ddl_followed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ddl_skipped", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_ddl_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_skip_revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("dml_skip_left", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ddl_skip_left", sa.Integer(), server_default="0", nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        sa.Column("row_errors", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("row_errors_since", UtcTimestamp(), nullable=True),
        sa.Column("lag_ms", sa.BigInteger(), nullable=True),
        sa.Column("load_started_at", UtcTimestamp(), nullable=True),
        sa.Column("load_finished_at", UtcTimestamp(), nullable=True),
        sa.Column("last_change_at", UtcTimestamp(), nullable=True),
        sa.Column("expires_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.Column("current_state", sa.String(length=30), server_default="uninitialized", nullable=False),
        sa.Column("current_since", UtcTimestamp(), nullable=False),
        sa.Column("current_origin", sa.String(length=20), server_default="report", nullable=False),
        sa.Column("is_up", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("has_trouble", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("unreduced", sa.Boolean(), server_default="1", nullable=False),
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
        op.f("ix_subscribed_table_channel_id_current_state"),
        "subscribed_table",
        ["channel_id", "current_state"],
        unique=False,
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
    op.create_index(
        op.f("ix_subscribed_table_unreduced"),
        "subscribed_table",
        ["unreduced"],
        unique=False,
        sqlite_where=sa.text("unreduced = 1"),
        postgresql_where=sa.text("unreduced"),
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
    op.create_table(
        "unbound_table",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("published_table_id", sa.String(length=32), nullable=False),
        sa.Column("settings", JsonDocument(), nullable=False),
        sa.Column("unbound_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channel.id"], name=op.f("fk_unbound_table_channel_id_channel"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["published_table_id"],
            ["published_table.id"],
            name=op.f("fk_unbound_table_published_table_id_published_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unbound_table")),
    )
    op.create_index(op.f("ix_unbound_table_channel_id"), "unbound_table", ["channel_id"], unique=False)
    op.create_index(op.f("ix_unbound_table_published_table_id"), "unbound_table", ["published_table_id"], unique=False)
    op.create_index(op.f("ix_unbound_table_unbound_at"), "unbound_table", ["unbound_at"], unique=False)
    op.create_table(
        "verification",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("repair", sa.Integer(), server_default="0", nullable=False),
        sa.Column("generation", sa.Integer(), server_default="0", nullable=False),
        sa.Column("verified_until", UtcTimestamp(), nullable=True),
        sa.Column("pass_rows", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("missing", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("extra", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("different", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("differences", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("differences_since", UtcTimestamp(), nullable=True),
        sa.Column("capped", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("unsettled", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("asked", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reported_repair", sa.Integer(), server_default="0", nullable=False),
        sa.Column("repaired", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["subscribed_table.id"],
            name=op.f("fk_verification_table_id_subscribed_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_verification")),
    )
    op.create_table(
        "comparison",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("contrast_id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=20), nullable=False),
        sa.Column("columns", JsonDocument(), server_default="[]", nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("repair", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcTimestamp(), nullable=False),
        sa.Column("reported_number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=30), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("rows_total", sa.BigInteger(), nullable=True),
        sa.Column("rows_compared", sa.BigInteger(), nullable=False),
        sa.Column("missing", sa.BigInteger(), nullable=False),
        sa.Column("extra", sa.BigInteger(), nullable=False),
        sa.Column("different", sa.BigInteger(), nullable=False),
        sa.Column("unsettled", sa.BigInteger(), nullable=False),
        sa.Column("not_checked", sa.BigInteger(), nullable=False),
        sa.Column("reported_repair", sa.Integer(), nullable=False),
        sa.Column("repair_state", sa.String(length=30), nullable=False),
        sa.Column("repair_reason", JsonDocument(), nullable=True),
        sa.Column("repaired", sa.BigInteger(), nullable=False),
        sa.Column("started_at", UtcTimestamp(), nullable=True),
        sa.Column("finished_at", UtcTimestamp(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["contrast_id"], ["contrast.id"], name=op.f("fk_comparison_contrast_id_contrast"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["subscribed_table.id"],
            name=op.f("fk_comparison_table_id_subscribed_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("table_id", name=op.f("uq_comparison_table_id")),
    )
    op.create_index(op.f("ix_comparison_contrast_id"), "comparison", ["contrast_id"], unique=False)
