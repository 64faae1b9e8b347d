"""The history of the versions of agents and control planes."""

from sqlalchemy import Column, Index, String, Table

from zcbus.control.store.columns import ID_LENGTH, UtcTimestamp, id_column, metadata

# Written by `store.deployments`. A row outlives its agent and container, so it has no foreign keys to them.
deployment = Table(
    "deployment",
    metadata,
    id_column(),
    # NULL: a control plane's.
    Column("container_id", String(ID_LENGTH)),
    # The agent's id, or that of the control plane (`Services.instance`).
    Column("program", String(64), nullable=False),
    Column("host", String(255), nullable=False),
    Column("version", String(50), nullable=False),
    # The version before it; NULL: none is known.
    Column("previous", String(50)),
    Column("deployed_at", UtcTimestamp, nullable=False),
    Index(None, "program", "deployed_at"),
    Index(None, "container_id", "deployed_at"),
)
