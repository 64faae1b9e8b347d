"""Security keys, and the challenges that they sign."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "security_key",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("rp_id", sa.String(length=255), nullable=False),
        sa.Column("credential_id", sa.String(length=1400), nullable=False),
        sa.Column("credential_hash", sa.String(length=64), nullable=False),
        sa.Column("public_key", sa.String(length=2000), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("transports", JsonDocument(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("used_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["second_factor.user_id"],
            name=op.f("fk_security_key_user_id_second_factor"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_security_key")),
        sa.UniqueConstraint("credential_hash", name=op.f("uq_security_key_credential_hash")),
    )
    op.create_index(op.f("ix_security_key_user_id"), "security_key", ["user_id"], unique=False)
    op.create_table(
        "key_challenge",
        sa.Column("asker_hash", sa.String(length=64), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("asker_hash", name=op.f("pk_key_challenge")),
    )
    op.create_index(op.f("ix_key_challenge_expires_at"), "key_challenge", ["expires_at"], unique=False)
