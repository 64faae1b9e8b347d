"""Sign-ins whose second factor is pending know whether they end with a change of the password."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_PENDING = sa.table("pending_sign_in", sa.column("user_id"), sa.column("demands_password", sa.Boolean()))
_USERS = sa.table("user_account", sa.column("id"), sa.column("must_change_password", sa.Boolean()))


def upgrade() -> None:
    op.add_column("pending_sign_in", sa.Column("demands_password", sa.Boolean(), server_default="0", nullable=False))
    demanded = sa.select(_USERS.c.must_change_password).where(_USERS.c.id == _PENDING.c.user_id).scalar_subquery()
    op.execute(sa.update(_PENDING).values(demands_password=demanded))
