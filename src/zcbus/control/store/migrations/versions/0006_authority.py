"""Departments, all fields of users, roles of one tenant, states of tenants, the menu as administrators changed it,
dictionaries."""

import sqlalchemy as sa
from alembic import op

from zcbus.control.store.columns import UtcTimestamp

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Only plain columns are added, with plain defaults: for anything more SQLite would copy the table, and dropping the
    # old one would delete whatever refers to it.
    _create_department()
    _create_menu_entry()
    _create_dictionary()
    with op.batch_alter_table("tenant") as table:
        table.add_column(sa.Column("status", sa.String(length=1), server_default="0", nullable=False))
        table.add_column(sa.Column("contact", sa.String(length=50), nullable=True))
        table.add_column(sa.Column("phone", sa.String(length=20), nullable=True))
        table.add_column(sa.Column("description", sa.String(length=200), nullable=True))
        table.add_column(sa.Column("updated_at", UtcTimestamp(), nullable=True))
    with op.batch_alter_table("user_account") as table:
        table.add_column(sa.Column("document_type", sa.String(length=1), nullable=True))
        table.add_column(sa.Column("id_number", sa.String(length=18), nullable=True))
        table.add_column(sa.Column("dept_id", sa.String(length=32), nullable=True))
        table.add_column(sa.Column("client_remote", sa.Boolean(), server_default="0", nullable=False))
    with op.batch_alter_table("role") as table:
        table.add_column(sa.Column("tenant_id", sa.String(length=32), nullable=True))
        table.add_column(sa.Column("description", sa.String(length=200), nullable=True))
        table.add_column(sa.Column("updated_at", UtcTimestamp(), nullable=True))


def _create_department() -> None:
    op.create_table(
        "department",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant_id", sa.String(length=32), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("description", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcTimestamp(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_department")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.id"], name=op.f("fk_department_tenant_id_tenant")),
        sa.ForeignKeyConstraint(["parent_id"], ["department.id"], name=op.f("fk_department_parent_id_department")),
    )
    op.create_index(op.f("ix_department_tenant_id"), "department", ["tenant_id"], unique=False)


def _create_menu_entry() -> None:
    op.create_table(
        "menu_entry",
        sa.Column("menu_key", sa.String(length=100), nullable=False),
        sa.Column("parent_key", sa.String(length=100), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("title_zh", sa.String(length=50), nullable=True),
        sa.Column("title_en", sa.String(length=50), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("own_group", sa.Boolean(), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("menu_key", name=op.f("pk_menu_entry")),
    )


def _create_dictionary() -> None:
    op.create_table(
        "dictionary",
        sa.Column("dict_type", sa.String(length=100), nullable=False),
        sa.Column("display_name", sa.String(length=100), nullable=False),
        sa.Column("display_en_name", sa.String(length=100), nullable=False),
        sa.Column("updated_at", UtcTimestamp(), nullable=False),
        sa.PrimaryKeyConstraint("dict_type", name=op.f("pk_dictionary")),
    )
    op.create_table(
        "dictionary_item",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("dict_type", sa.String(length=100), nullable=False),
        sa.Column("display_key", sa.String(length=100), nullable=False),
        sa.Column("display_value", sa.String(length=200), nullable=False),
        sa.Column("display_name", sa.String(length=100), nullable=False),
        sa.Column("display_en_name", sa.String(length=100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dictionary_item")),
        sa.ForeignKeyConstraint(
            ["dict_type"],
            ["dictionary.dict_type"],
            name=op.f("fk_dictionary_item_dict_type_dictionary"),
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint("dict_type", "display_key", name=op.f("uq_dictionary_item_dict_type_display_key")),
    )
