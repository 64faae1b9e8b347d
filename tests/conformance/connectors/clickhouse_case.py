"""ClickHouse in the conformance suite: a target whose transactions arrive in one step."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class ClickHouseCase(Case):
    """See Case."""

    kind = "clickhouse"
    speaks_sql = False
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "mysql.day": ("2024-02-29", None, None),
        "mysql.moment": (None, None),
        "mysql.moment_fine": ("2024-02-29 12:34:56.789",),
        "mysql.instant": ("2024-02-29 04:34:56+00", None),
        "mysql.instant_fine": ("2024-02-29 04:34:56.125+00",),
        "postgresql.day": ("2024-02-29", None, None, None, None),
        "postgresql.moment": ("2024-02-29 12:34:56.789", None, None),
        "postgresql.instant": ("2024-02-29 03:34:56.789+00", None, "1900-01-01 00:00:00+00"),
    }
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "mysql.day": (1, 2),
        "mysql.moment": (0, 1),
        "mysql.instant": (1,),
        "postgresql.day": (1, 2, 3, 4),
        "postgresql.moment": (1, 2),
        "postgresql.instant": (1,),
    }

    def schema(self, database: str) -> str:
        return "clickhouse"

    def image(self, database: str, table: str) -> list[object]:
        return sorted(self.server.rows(database, table), key=lambda row: row["k"])
