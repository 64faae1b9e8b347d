"""Mapping of columns for targets that store canonical texts."""

from zcbus.connectors.roles import MappingNote
from zcbus.connectors.writing.definition import type_name
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return [
        MappingNote(column.name, column.type.native, "unsupported-type", True, (("reason", column.type.reason),))
        if column.type.kind is Kind.UNSUPPORTED
        else MappingNote(column.name, type_name(column.type))
        for column in schema.columns
    ]
