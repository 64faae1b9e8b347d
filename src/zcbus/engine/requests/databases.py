"""Answers about a database: connection test, schemas, tables, columns."""

from zcbus.connectors.roles import MappingNote
from zcbus.engine.connections import Connectors, options_of
from zcbus.model.schema import TableName, TableSchema
from zcbus.protocol.answers import (
    Check,
    ColumnLine,
    ConnectionTest,
    Description,
    Descriptions,
    Schemas,
    TableLine,
    Tables,
)
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.requests import DescribeTables, ListSchemas, ListTables, TestConnection


def test_connection(request: TestConnection, connectors: Connectors) -> ConnectionTest:
    """All checks of a connection."""
    results = connectors(request.connection.kind).tester().test(options_of(request.connection), request.side)
    checks = tuple(
        Check(
            item=result.item,
            statement=result.statement,
            ok=result.ok,
            blocking=result.blocking,
            detail=result.detail,
            remedy=result.remedy,
            advice=result.advice,
        )
        for result in results
    )
    return ConnectionTest(ok=all(check.ok or not check.blocking for check in checks), checks=checks)


def list_schemas(request: ListSchemas, connectors: Connectors) -> Schemas:
    """Schemas of a database."""
    with connectors(request.connection.kind).discoverer(options_of(request.connection)) as discoverer:
        return Schemas(schemas=tuple(discoverer.schemas()))


def list_tables(request: ListTables, connectors: Connectors) -> Tables:
    """All tables, or those of one schema."""
    with connectors(request.connection.kind).discoverer(options_of(request.connection)) as discoverer:
        summaries = discoverer.tables(request.schema_name)
    return Tables(
        tables=tuple(
            TableLine(
                schema_name=summary.name.schema,
                table=summary.name.table,
                estimated_rows=summary.estimated_rows,
                size_bytes=summary.size_bytes,
                has_primary_key=summary.has_primary_key,
                has_unique_key=summary.has_unique_key,
                comment=summary.comment,
                refused=summary.refused,
            )
            for summary in summaries
        )
    )


def describe_tables(request: DescribeTables, connectors: Connectors) -> Descriptions:
    """Columns of tables, and their types on the target kind."""
    with connectors(request.connection.kind).discoverer(options_of(request.connection)) as discoverer:
        schemas = discoverer.describe([table_name(table) for table in request.tables])
    return Descriptions(tables=tuple(_description(schema, request, connectors) for schema in schemas))


def table_name(table: TableRef) -> TableName:
    """The model's name of a table."""
    return TableName(table.schema_name, table.table)


def _description(schema: TableSchema, request: DescribeTables, connectors: Connectors) -> Description:
    notes: dict[str, MappingNote] = {}
    if request.target_kind:
        target = connectors(request.target_kind).target(options_of(request.connection))
        notes = {note.column: note for note in target.map_columns(schema, schema.key())}
    return Description(
        schema_name=schema.name.schema,
        table=schema.name.table,
        columns=tuple(_column(schema, name, notes.get(name)) for name in schema.names),
        primary_key=schema.primary_key,
        unique_keys=schema.unique_keys,
    )


def _column(schema: TableSchema, name: str, note: MappingNote | None) -> ColumnLine:
    column = schema.column(name)
    return ColumnLine(
        name=name,
        native_type=column.type.native,
        nullable=column.nullable,
        key=name in schema.key(),
        comment=column.comment,
        target_type=note.target_type if note else "",
        note=mapping_reason(note) if note and note.note else None,
        blocking=bool(note and note.blocking),
    )


def mapping_reason(note: MappingNote) -> Reason:
    """A mapping's note as a reason."""
    return Reason(code=note.note, facts={"column": note.column, "type": note.target_type, **dict(note.facts)})
