"""Check of a stream query's result without any rows."""

from collections.abc import Mapping

from zcbus.engine.reasons import STREAM_QUERY_INVALID, TableStopped
from zcbus.engine.stream.database import Database
from zcbus.engine.stream.inputs import InputTable
from zcbus.engine.stream.result import result_schema
from zcbus.engine.stream.statement import Statement, check_inputs, read
from zcbus.engine.transform.expressions import ExpressionRefused
from zcbus.model.schema import TableName, TableSchema
from zcbus.protocol.base import Reason
from zcbus.protocol.stream_query_requests import CheckStreamQuery

_MEMORY_MB = 64


def checked_statement(sql: str, inputs: list[str]) -> Statement:
    """The SELECT over these inputs, if it may be evaluated. Raises TableStopped."""
    try:
        statement = read(sql)
        check_inputs(statement, inputs)
    except ExpressionRefused as refused:
        raise TableStopped(STREAM_QUERY_INVALID, detail=refused.problem) from refused
    return statement


def result_or_reason(request: CheckStreamQuery, schemas: Mapping[str, TableSchema]) -> TableSchema | Reason:
    """The result as a table, or the reason why there is none. Both can pass between processes."""
    try:
        return schema_of_result(request, schemas)
    except TableStopped as stopped:
        return stopped.reason


def schema_of_result(request: CheckStreamQuery, schemas: Mapping[str, TableSchema]) -> TableSchema:
    """The result as a table, over inputs with these schemas. Raises TableStopped."""
    statement = checked_statement(request.sql, list(schemas))
    keys = {one.name: one.key for one in request.inputs}
    database = Database(None, _MEMORY_MB, _MEMORY_MB)
    try:
        for name, schema in schemas.items():
            InputTable(database, statement, name, schema, schema.key(keys[name])).create()
        table = TableName(request.table.schema_name, request.table.table)
        return result_schema(database, statement, request.key, table)
    finally:
        database.close()
