"""The requests of a target, made up for a row, so that the connection form can show them. Nothing is sent."""

from zcbus.connectors.emitting.events import Event, Operation
from zcbus.connectors.http.document import Interface
from zcbus.connectors.http.document_text import line_of
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.connectors.http.target.document import RowsPart, TargetPart
from zcbus.connectors.http.target.emitter import schema_of
from zcbus.connectors.http.target.requests import NotExpressible, Outgoing, outgoing
from zcbus.connectors.http.target.signing import secrets_of
from zcbus.connectors.http.templates import ValueMissing, parameters
from zcbus.connectors.previewing import Preview, PreviewColumn, PreviewFault
from zcbus.connectors.roles.writer import Row
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_EVENTS = {
    Operation.INSERT: "insert",
    Operation.UPDATE: "update",
    Operation.DELETE: "delete",
}
_COLUMNS = tuple(
    PreviewColumn(name, "text", name == "operation") for name in ("operation", "request", "headers", "body")
)
_TEXTS = {
    Kind.BOOLEAN: "t",
    Kind.INT64: "1",
    Kind.DECIMAL: "1.50",
    Kind.FLOAT64: "1.5",
    Kind.DATE: "2026-01-31",
    Kind.TIMESTAMP: "2026-01-31 12:00:00",
    Kind.TIMESTAMP_TZ: "2026-01-31 12:00:00+00",
    Kind.JSON: '{"a": 1}',
}
_SAMPLE = (Column("id", DataType(Kind.INT64, "bigint"), False), Column("name", DataType(Kind.TEXT, "text"), True))


def preview_target(options: HttpOptions, interface: Interface, name: str, names: tuple[str, ...]) -> Preview:
    """The requests for a row that is new, changed in one column, and gone. `names`: all that can be previewed."""
    number = next(number for number, one in enumerate(interface.targets) if one.name == name)
    target = interface.targets[number]
    rows, faults = list[tuple[str | None, ...]](), list[PreviewFault]()
    for operation, shown in _EVENTS.items():
        try:
            rows.append((shown, *_texts(_request(options, target, operation))))
        except NotExpressible as error:
            rows.append((shown, None, None, str(error)))
        except (ValueMissing, ValueError) as error:
            line = line_of(options.definition, ("targets", number))
            faults.append(PreviewFault(line, f"targets.{number}", str(error)))
    return Preview(names, name, _COLUMNS, tuple(rows), faults=tuple(faults))


def _request(options: HttpOptions, target: TargetPart, operation: Operation) -> Outgoing:
    schema = _schema(options, target)
    row: Row = {one.name: _TEXTS.get(one.type.kind, "text") for one in schema.columns}
    key: Row = {name: row[name] for name in schema.primary_key}
    sent = {Operation.INSERT: row, Operation.UPDATE: {schema.names[-1]: row[schema.names[-1]]}, Operation.DELETE: {}}
    event = Event(schema, operation, key, sent[operation], "event-id", "2026-01-31T12:00:00.000Z")
    values = {**parameters(options.parameters), "account": options.account}
    return outgoing(target, [event], values, secrets_of(options.signing))


def _schema(options: HttpOptions, target: TargetPart) -> TableSchema:
    if isinstance(target, RowsPart):
        return schema_of(target, options.kind)
    table = TableName(SCHEMA, "table" if target.name == "*" else target.name)
    return TableSchema(table, options.kind, _SAMPLE, primary_key=("id",))


def _texts(request: Outgoing) -> tuple[str, str, str]:
    message = request.message
    headers = message.headers() if callable(message.headers) else message.headers
    shown = "\n".join(f"{name}: {value}" for name, value in headers.items())
    query = "&".join(f"{name}={value}" for name, value in request.query.items())
    return f"{message.method} {request.place}{'?' if query else ''}{query}", shown, message.content.decode()
