"""Kafka in the conformance suite: a target whose rows are the latest messages of their keys."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class KafkaCase(Case):
    """See Case."""

    kind = "kafka"
    speaks_sql = False
    writes_apart = True
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "rows"

    def image(self, database: str, table: str) -> list[object]:
        latest = {one.key(): one.value() for one in self.server.read(f"{database}.{table}")}
        return [(key, value) for key, value in sorted(latest.items()) if value is not None]
