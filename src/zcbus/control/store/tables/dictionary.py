"""Dictionaries: what the keys of a field are called in both languages."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, UniqueConstraint

from zcbus.control.store.columns import UtcTimestamp, id_column, metadata

dictionary = Table(
    "dictionary",
    metadata,
    Column("dict_type", String(100), primary_key=True),
    Column("display_name", String(100), nullable=False),
    Column("display_en_name", String(100), nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)

dictionary_item = Table(
    "dictionary_item",
    metadata,
    id_column(),
    Column("dict_type", String(100), ForeignKey("dictionary.dict_type", ondelete="CASCADE"), nullable=False),
    Column("display_key", String(100), nullable=False),
    Column("display_value", String(200), nullable=False),
    Column("display_name", String(100), nullable=False),
    Column("display_en_name", String(100), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("dict_type", "display_key"),
)
