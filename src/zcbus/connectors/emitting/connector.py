"""The target of a kind that emits events."""

from collections.abc import Callable

from zcbus.connectors.emitting.events import Emitter
from zcbus.connectors.emitting.log import state_log
from zcbus.connectors.emitting.session import EmittingSession
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.options import KindOptions
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.writing.mapping import map_columns
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


def writer(options: KindOptions, emitter: Emitter) -> EmittingWriter:
    """A writer whose state is kept where this process keeps it; see emitting.log."""
    place = f"{options.tenant}:{emitter.identity}"
    return EmittingWriter(options, emitter, state_log(options.kind, place), place)


class EmittingTarget:
    """See roles.Target."""

    def __init__(self, dialect: str, schema: str, open_writer: Callable[[], EmittingWriter]) -> None:
        """`dialect`: the kind; `schema`: of all its tables."""
        self._dialect, self._schema, self._open_writer = dialect, schema, open_writer

    @property
    def dialect(self) -> str:
        return self._dialect

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return values

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return self._schema

    def open(self) -> EmittingSession:
        return EmittingSession(self._open_writer(), self._dialect)
