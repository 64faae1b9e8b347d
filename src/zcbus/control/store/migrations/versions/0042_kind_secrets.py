"""Secrets of data sources by name: kinds differ in how many they have."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("data_source") as table:
        table.add_column(sa.Column("secrets", JsonDocument(), nullable=True))
    source = sa.table(
        "data_source", sa.column("id", sa.String), sa.column("secret", sa.Text), sa.column("secrets", JsonDocument())
    )
    connection = op.get_bind()
    # A secret is sealed for its data source and its name, which is the same as before.
    for identifier, sealed in connection.execute(sa.select(source.c.id, source.c.secret)).all():
        connection.execute(sa.update(source).where(source.c.id == identifier).values(secrets={"password": sealed}))
    with op.batch_alter_table("data_source") as table:
        table.alter_column("secrets", nullable=False)
        table.drop_column("secret")
