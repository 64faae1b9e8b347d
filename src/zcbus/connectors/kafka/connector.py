"""The Kafka connector."""

from collections.abc import Sequence

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.options import SCHEMA
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.kafka.check import KafkaTester
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.spec import ROWS, KafkaOptions
from zcbus.connectors.kafka.writer import KafkaWriter
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.writing.connector import WriterDiscoverer, WriterTarget
from zcbus.connectors.writing.mapping import map_columns
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.model.schema import TableName, TableSchema, TableSummary


class KafkaConnector(Connector):
    """See Connector."""

    kind = "kafka"

    def tester(self) -> KafkaTester:
        return KafkaTester()

    def discoverer(self, options: KafkaOptions) -> "KafkaDiscoverer":
        return KafkaDiscoverer(options)

    def source(self, options: KafkaOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        return ConsumingSource(options, lambda: KafkaConsumer(options))

    def target(self, options: KafkaOptions) -> WriterTarget:
        return WriterTarget(self.kind, ROWS, lambda: KafkaWriter(options), map_columns)

    def reader(self, options: KafkaOptions, side: Side) -> WriterTableReader:
        if side == "source":
            raise RoleMissing(kind=self.kind, role="reader")
        return WriterTableReader(lambda: KafkaWriter(options), {"kind": self.kind, "address": options.address})


class KafkaDiscoverer:
    """See roles.Discoverer: topics as messages, and the tables that the platform writes, each in a schema of their
    own."""

    def __init__(self, options: KafkaOptions) -> None:
        self._topics = ConsumingDiscoverer(options, KafkaConsumer(options))
        self._rows = WriterDiscoverer(KafkaWriter(options), ROWS)

    def schemas(self) -> list[str]:
        return [SCHEMA, ROWS]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema == ROWS:
            return self._rows.tables(schema)
        return self._topics.tables(schema)

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        ours = [name for name in names if name.schema == ROWS]
        others = [name for name in names if name.schema != ROWS]
        described = [*(self._rows.describe(ours) if ours else ()), *(self._topics.describe(others) if others else ())]
        found = {one.name: one for one in described}
        return [found[name] for name in names]

    def __enter__(self) -> "KafkaDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._rows.__exit__(*details)
        self._topics.__exit__(*details)


def connector() -> Connector:
    """Constructor for the registry."""
    return KafkaConnector()
