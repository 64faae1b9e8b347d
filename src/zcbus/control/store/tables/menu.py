"""Changes that administrators made to the menu; everything else is in `control.platform.menus`."""

from sqlalchemy import Boolean, Column, Integer, String, Table

from zcbus.control.store.columns import UtcTimestamp, metadata

menu_entry = Table(
    "menu_entry",
    metadata,
    # A key of `control.platform.menus`, or of a group that an administrator made.
    Column("menu_key", String(100), primary_key=True),
    # NULL: topmost.
    Column("parent_key", String(100)),
    Column("position", Integer, nullable=False),
    # NULL: the usual title.
    Column("title_zh", String(50)),
    Column("title_en", String(50)),
    Column("hidden", Boolean, nullable=False),
    # A group that an administrator made.
    Column("own_group", Boolean, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)
