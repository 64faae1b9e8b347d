"""A broker's topics as tables."""

from collections.abc import Sequence

from zcbus.connectors.consuming.consumer import TopicLister, TopicTrouble
from zcbus.connectors.consuming.options import SCHEMA, ConsumingOptions
from zcbus.connectors.consuming.rows import MessageRows, refused
from zcbus.connectors.errors import TableMissing
from zcbus.model.schema import TableName, TableSchema, TableSummary


class ConsumingDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: ConsumingOptions, lister: TopicLister) -> None:
        """`lister` is closed with the discoverer."""
        self._options, self._lister, self._rows = options, lister, MessageRows(options)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        names = sorted(name for name in self._lister.names() if self._options.is_selected(name))
        return [
            TableSummary(TableName(SCHEMA, name), None, None, True, False, notice=self._options.notice(name))
            for name in names
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        try:
            topics = self._lister.topics(name.table for name in names)
        except TopicTrouble as trouble:
            raise refused(trouble) from trouble
        for name in names:
            if name.schema != SCHEMA or name.table not in topics:
                raise TableMissing(table=str(name), side="source")
        return [self._rows.schema(name.table) for name in names]

    def __enter__(self) -> "ConsumingDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._lister.close()
