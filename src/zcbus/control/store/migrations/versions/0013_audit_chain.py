"""The chain that seals the operation log."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_link",
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("record_id", sa.String(length=32), nullable=False),
        sa.Column("linked_at", UtcTimestamp(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_audit_link")),
    )
    op.create_index(op.f("ix_audit_link_record_id"), "audit_link", ["record_id"])
    op.create_table(
        "audit_anchor",
        sa.Column("chain_id", sa.String(length=32), nullable=False),
        sa.Column("began_at", UtcTimestamp(), nullable=False),
        sa.Column("earlier_records", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("link_seal", sa.String(length=64), nullable=False),
        sa.Column("moved_at", UtcTimestamp(), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("chain_id", name=op.f("pk_audit_anchor")),
    )
