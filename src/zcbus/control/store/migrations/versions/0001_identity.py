"""Identity, audit, parameters."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        "captcha",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("answer_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_captcha")),
    )
    op.create_index(op.f("ix_captcha_expires_at"), "captcha", ["expires_at"], unique=False)
    op.create_table(
        "login_failure",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("failed_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failure")),
    )
    op.create_index(
        op.f("ix_login_failure_account_address_failed_at"),
        "login_failure",
        ["account", "address", "failed_at"],
        unique=False,
    )
    op.create_index(op.f("ix_login_failure_failed_at"), "login_failure", ["failed_at"], unique=False)
    op.create_table(
        "role",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=50), nullable=False),
        sa.Column("name_zh", sa.String(length=50), nullable=False),
        sa.Column("name_en", sa.String(length=50), nullable=False),
        sa.Column("spans_tenants", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role")),
        sa.UniqueConstraint("code", name=op.f("uq_role_code")),
    )
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
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenant")),
        sa.UniqueConstraint("name", name=op.f("uq_tenant_name")),
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
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_user_account_tenant_id_tenant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
        sa.UniqueConstraint("user_name", name=op.f("uq_user_account_user_name")),
    )
    op.create_index(op.f("ix_user_account_tenant_id"), "user_account", ["tenant_id"], unique=False)
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
        sa.Column("created_at", UtcTimestamp(), nullable=False),
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
