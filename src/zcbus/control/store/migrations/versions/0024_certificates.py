"""The ends of TLS certificates; references to the secrets of network routes."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tls_certificate",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=64), nullable=True),
        sa.Column("instance", sa.String(length=64), nullable=True),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("use", sa.String(length=20), nullable=False),
        sa.Column("file", sa.String(length=1000), nullable=False),
        sa.Column("ends_at", UtcTimestamp(), nullable=False),
        sa.Column("seen_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agent.id"], name=op.f("fk_tls_certificate_agent_id_agent"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tls_certificate")),
    )
    op.create_index(op.f("ix_tls_certificate_agent_id"), "tls_certificate", ["agent_id"], unique=False)
    op.create_index(op.f("ix_tls_certificate_ends_at"), "tls_certificate", ["ends_at"], unique=False)
    op.add_column("network_route", sa.Column("secret_references", JsonDocument(), nullable=True))
    op.add_column("agent", sa.Column("reads_route_references", sa.Boolean(), server_default="0", nullable=False))
