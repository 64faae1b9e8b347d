"""Routes of the network configuration."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "network_route",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("user", sa.String(length=128), nullable=False),
        sa.Column("secrets", JsonDocument(), nullable=False),
        sa.Column("host_key", sa.String(length=100), nullable=False),
        sa.Column("source", sa.String(length=45), nullable=False),
        sa.Column("targets", JsonDocument(), nullable=False),
        sa.Column("description", sa.String(length=200), nullable=False),
        sa.Column("updated_by", sa.String(length=50), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenant.id"], ondelete="CASCADE", name=op.f("fk_network_route_tenant_id_tenant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_network_route")),
        sa.UniqueConstraint("tenant_id", "name", name=op.f("uq_network_route_tenant_id_name")),
    )
