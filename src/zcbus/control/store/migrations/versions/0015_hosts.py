"""Hosts of containers: what they measure, how they join, and where services are placed."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("container") as table:
        table.add_column(sa.Column("description", sa.String(200), nullable=True))
        table.add_column(sa.Column("moves_services", sa.Boolean(), nullable=False, server_default="1"))
    with op.batch_alter_table("agent") as table:
        table.add_column(sa.Column("contact_since", UtcTimestamp(), nullable=True))
        table.add_column(sa.Column("bus", sa.String(500), nullable=True))
        table.add_column(sa.Column("cpu_percent", sa.Double(), nullable=True))
        for name in ("memory_used", "memory_total", "disk_used", "disk_total"):
            table.add_column(sa.Column(name, sa.BigInteger(), nullable=True))
    with op.batch_alter_table("service") as table:
        table.add_column(sa.Column("pinned", sa.Boolean(), nullable=False, server_default="0"))
        table.add_column(sa.Column("next_agent_id", sa.String(64), nullable=True))
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
