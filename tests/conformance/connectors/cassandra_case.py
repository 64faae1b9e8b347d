"""Cassandra in the conformance suite: a source by watermark, and a target whose transactions arrive in one step."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class CassandraCase(Case):
    """See Case."""

    kind = "cassandra"
    speaks_sql = False
    declares_structure = True
    writes_apart = True
    many_rows = 3_000
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "mysql.day": ("2024-02-29", None, "9999-12-31"),
        "mysql.moment": ("9999-12-31 23:59:59", None),
        "mysql.instant": ("2024-02-29 04:34:56+00", None),
        "postgresql.free": (None, "1" + 100 * "0", "-1.5000", "0.1"),
        "postgresql.day": ("2024-02-29", None, None, "0044-03-15 BC", "294276-12-31"),
        "postgresql.clock": ("23:59:59.999999", None),
    }
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "mysql.day": (1,),
        "mysql.moment": (1,),
        "mysql.instant": (1,),
        "postgresql.free": (0,),
        "postgresql.day": (1, 2),
        "postgresql.clock": (1,),
    }

    def schema(self, database: str) -> str:
        return "cassandra"

    def image(self, database: str, table: str) -> list[object]:
        return sorted(self.server.rows(database, table), key=lambda row: row["k"])
