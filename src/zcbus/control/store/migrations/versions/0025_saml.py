"""SAML sign-in: the platform's key, and the assertions that were used."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "saml_key",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.Column("sealed_key", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saml_key")),
    )
    op.create_table(
        "used_assertion",
        sa.Column("id_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_used_assertion")),
    )
    op.create_index(op.f("ix_used_assertion_expires_at"), "used_assertion", ["expires_at"], unique=False)
