"""Texts of the platform's operator, read instead of the shipped ones."""

from sqlalchemy import Column, String, Table, Text

from zcbus.control.store.columns import UtcTimestamp, metadata

custom_text = Table(
    "custom_text",
    metadata,
    # `namespace:key` as in `features.translation.shipped`.
    Column("text_key", String(250), primary_key=True),
    # A `platform.language.Language`.
    Column("language", String(2), primary_key=True),
    Column("value", Text, nullable=False),
    # The shipped text when this one was written: a later version may ship another.
    Column("shipped", Text, nullable=False),
    Column("updated_by", String(50), nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)
