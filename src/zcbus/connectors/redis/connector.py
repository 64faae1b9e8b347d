"""The Redis connector."""

from zcbus.connectors.redis.check import RedisTester
from zcbus.connectors.redis.spec import SCHEMA, RedisOptions
from zcbus.connectors.redis.writer import RedisWriter
from zcbus.connectors.roles import Connector
from zcbus.connectors.writing.connector import WriterConnector


class RedisConnector(WriterConnector):
    """See Connector."""

    kind = "redis"
    schema = SCHEMA

    def tester(self) -> RedisTester:
        return RedisTester()

    def writer(self, options: RedisOptions) -> RedisWriter:
        return RedisWriter(options)


def connector() -> Connector:
    """Constructor for the registry."""
    return RedisConnector()
