"""Valkey in the conformance suite: a target whose transactions arrive in one step."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class RedisCase(Case):
    """See Case."""

    kind = "redis"
    speaks_sql = False
    writes_apart = True
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "redis"

    def image(self, database: str, table: str) -> list[object]:
        with self.server.client(database) as client:
            return [client.hgetall(name) for name in sorted(client.keys(f"{table}:*"))]
