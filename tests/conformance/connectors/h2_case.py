"""H2 in the conformance suite: a target, and a source by watermark."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class H2Case(Case):
    """See Case."""

    kind = "h2"
    parallel_keys = False
    hold = "INSERT INTO t VALUES (1, 'x', 9, 'held')"
    many_rows = 8000
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "mysql.day": ("2024-02-29", None, "9999-12-31"),
        "mysql.moment": ("9999-12-31 23:59:59", None),
        "mysql.moment_fine": ("2024-02-29 12:34:56.789",),
        "mysql.instant_fine": ("2024-02-29 04:34:56.125+00",),
        "mysql.harvest": ("1901", "2155", "0"),
        "mysql.instant": ("2024-02-29 04:34:56+00", None),
        "postgresql.clock": ("23:59:59.999999", None),
        "postgresql.day": ("2024-02-29", None, None, "0044-03-15 BC", "294276-12-31"),
        "postgresql.moment": ("2024-02-29 12:34:56.789", None, "0001-01-01 00:00:00 BC"),
        "postgresql.instant": ("2024-02-29 03:34:56.789+00", None, "1900-01-01 00:00:00+00"),
    }
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "mysql.day": (1,),
        "mysql.moment": (1,),
        "mysql.instant": (1,),
        "postgresql.clock": (1,),
        "postgresql.day": (1, 2),
        "postgresql.moment": (1,),
        "postgresql.instant": (1,),
    }

    def schema(self, database: str) -> str:
        return "PUBLIC"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f"SELECT * FROM {table} ORDER BY k", database))
