"""Second factors, their recovery codes, and sign-ins that wait for one."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_factor",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("sealed_secret", sa.String(length=200), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("turned_on_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_second_factor_user_id_user_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_factor")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["second_factor.user_id"],
            name=op.f("fk_recovery_code_user_id_second_factor"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "code_hash", name=op.f("pk_recovery_code")),
    )
    op.create_table(
        "pending_sign_in",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("attempts_left", sa.Integer(), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_pending_sign_in_user_id_user_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_pending_sign_in")),
    )
    op.create_index(op.f("ix_pending_sign_in_user_id"), "pending_sign_in", ["user_id"], unique=False)
    op.create_index(op.f("ix_pending_sign_in_expires_at"), "pending_sign_in", ["expires_at"], unique=False)
