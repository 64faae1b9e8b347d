"""Deployments: which version of an agent or a control plane ran since when."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deployment",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=True),
        sa.Column("program", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("version", sa.String(length=50), nullable=False),
        sa.Column("previous", sa.String(length=50), nullable=True),
        sa.Column("deployed_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deployment")),
    )
    op.create_index(op.f("ix_deployment_program_deployed_at"), "deployment", ["program", "deployed_at"], unique=False)
    op.create_index(
        op.f("ix_deployment_container_id_deployed_at"), "deployment", ["container_id", "deployed_at"], unique=False
    )
