"""Mapping of columns for targets that store canonical texts."""

from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.writing.definition import type_name
from zcbus.model.schema import TableSchema


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, lambda column: (type_name(column.type), ""))
