"""The Redis connector."""

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.redis.check import RedisTester
from zcbus.connectors.redis.consumer import RedisConsumer
from zcbus.connectors.redis.spec import SCHEMA, RedisOptions
from zcbus.connectors.redis.writer import RedisWriter
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer, WriterTarget
from zcbus.connectors.writing.mapping import map_columns
from zcbus.connectors.writing.reader import WriterTableReader


class RedisConnector(Connector):
    """See Connector."""

    kind = "redis"

    def tester(self) -> RedisTester:
        return RedisTester()

    def discoverer(self, options: RedisOptions) -> TwoSidedDiscoverer:
        streams = ConsumingDiscoverer(options, RedisConsumer(options))
        return TwoSidedDiscoverer(streams, WriterDiscoverer(RedisWriter(options), SCHEMA), SCHEMA)

    def source(self, options: RedisOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        return ConsumingSource(options, lambda: RedisConsumer(options))

    def target(self, options: RedisOptions) -> WriterTarget:
        return WriterTarget(self.kind, SCHEMA, lambda: RedisWriter(options), map_columns)

    def reader(self, options: RedisOptions, side: Side) -> WriterTableReader:
        if side == "source":
            raise RoleMissing(kind=self.kind, role="reader")
        return WriterTableReader(lambda: RedisWriter(options), {"kind": self.kind, "address": options.address})


def connector() -> Connector:
    """Constructor for the registry."""
    return RedisConnector()
