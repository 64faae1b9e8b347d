"""Drivers that agents keep on their hosts."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "driver",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("version", sa.String(length=50), nullable=False),
        sa.Column("signature", sa.String(length=200), nullable=False),
        sa.Column("signer", sa.String(length=100), nullable=False),
        sa.Column("everywhere", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["upload.id"], ondelete="CASCADE", name=op.f("fk_driver_id_upload")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_driver")),
        sa.UniqueConstraint("name", name=op.f("uq_driver_name")),
    )
    op.create_table(
        "driver_container",
        sa.Column("driver_id", sa.String(length=32), nullable=False),
        sa.Column("container_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["driver_id"], ["driver.id"], ondelete="CASCADE", name=op.f("fk_driver_container_driver_id_driver")
        ),
        sa.ForeignKeyConstraint(
            ["container_id"],
            ["container.id"],
            ondelete="CASCADE",
            name=op.f("fk_driver_container_container_id_container"),
        ),
        sa.PrimaryKeyConstraint("driver_id", "container_id", name=op.f("pk_driver_container")),
    )
    op.create_index(op.f("ix_driver_container_container_id"), "driver_container", ["container_id"])
    op.create_table(
        "driver_state",
        sa.Column("agent_id", sa.String(length=64), nullable=False),
        sa.Column("driver_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", JsonDocument(), nullable=True),
        sa.Column("reported_at", UtcTimestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agent.id"], ondelete="CASCADE", name=op.f("fk_driver_state_agent_id_agent")
        ),
        sa.ForeignKeyConstraint(
            ["driver_id"], ["driver.id"], ondelete="CASCADE", name=op.f("fk_driver_state_driver_id_driver")
        ),
        sa.PrimaryKeyConstraint("agent_id", "driver_id", name=op.f("pk_driver_state")),
    )
    op.create_index(op.f("ix_driver_state_driver_id"), "driver_state", ["driver_id"])
