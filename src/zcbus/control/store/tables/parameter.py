"""System parameters: named JSON values that steer the console and the platform."""

from sqlalchemy import Column, String, Table

from zcbus.control.store.columns import JsonDocument, UtcTimestamp, metadata

parameter = Table(
    "system_parameter",
    metadata,
    Column("variable_name", String(100), primary_key=True),
    Column("value", JsonDocument, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)
