"""Service accounts: API tokens with a scope. Each token that is there becomes an account without one. Results of
verifying the chain of the operation log, and how far it is streamed."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import JsonDocument, UtcTimestamp

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_TOKENS = sa.table(
    "user_session",
    *(sa.column(name) for name in ("id", "user_id", "kind", "name", "created_at", "revoked_at", "service_account_id")),
)
_ACCOUNTS = sa.table(
    "service_account",
    *(sa.column(name) for name in ("id", "user_id", "name", "created_at", "revoked_at")),
    sa.column("spans_tenants", sa.Boolean()),
)


def upgrade() -> None:
    op.create_table(
        "service_account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("scope", JsonDocument(), nullable=True),
        sa.Column("spans_tenants", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("revoked_at", UtcTimestamp(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], ondelete="CASCADE", name=op.f("fk_service_account_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_account")),
    )
    op.create_index(op.f("ix_service_account_user_id"), "service_account", ["user_id"])
    op.add_column("user_session", sa.Column("service_account_id", sa.String(length=32), nullable=True))
    op.create_index(op.f("ix_user_session_service_account_id"), "user_session", ["service_account_id"])
    _give_accounts()
    _keep_proofs()
    _keep_streams()


def _keep_proofs() -> None:
    op.create_table(
        "audit_proof",
        sa.Column("instance", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("checked_at", UtcTimestamp(), nullable=False),
        sa.Column("whole_at", UtcTimestamp(), nullable=False),
        sa.Column("end_sequence", sa.BigInteger(), nullable=False),
        sa.Column("end_seal", sa.String(length=64), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("instance", name=op.f("pk_audit_proof")),
    )


def _keep_streams() -> None:
    op.create_table(
        "audit_stream",
        sa.Column("way", sa.String(length=10), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("lost", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", UtcTimestamp(), nullable=True),
        sa.Column("failing_since", UtcTimestamp(), nullable=True),
        sa.Column("failure", sa.String(length=500), nullable=True),
        sa.Column("holder", sa.String(length=64), nullable=True),
        sa.Column("held_until", UtcTimestamp(), nullable=True),
        sa.PrimaryKeyConstraint("way", name=op.f("pk_audit_stream")),
    )


def _give_accounts() -> None:
    is_token = _TOKENS.c.kind == "api"
    names = sa.func.coalesce(_TOKENS.c.name, "")
    of_tokens = sa.select(
        _TOKENS.c.id, _TOKENS.c.user_id, names, _TOKENS.c.created_at, _TOKENS.c.revoked_at, sa.true()
    ).where(is_token)
    columns = ["id", "user_id", "name", "created_at", "revoked_at", "spans_tenants"]
    op.execute(sa.insert(_ACCOUNTS).from_select(columns, of_tokens))
    op.execute(sa.update(_TOKENS).where(is_token).values(service_account_id=_TOKENS.c.id))
