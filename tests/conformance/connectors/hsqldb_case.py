"""HSQLDB in the conformance suite: a target, and a source by watermark."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class HsqldbCase(Case):
    """See Case."""

    kind = "hsqldb"
    parallel_keys = False
    # It waits for locks without a limit.
    hold = ""
    many_rows = 8000
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "postgresql.clock": ("23:59:59.999999", None),
        "postgresql.day": ("2024-02-29", None, None, None, None),
        "postgresql.moment": ("2024-02-29 12:34:56.789", None, None),
        "postgresql.instant": ("2024-02-29 03:34:56.789+00", None, "1900-01-01 00:00:00+00"),
    }
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "postgresql.clock": (1,),
        "postgresql.day": (1, 2, 3, 4),
        "postgresql.moment": (1, 2),
        "postgresql.instant": (1,),
    }

    def schema(self, database: str) -> str:
        return "PUBLIC"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f"SELECT * FROM {table} ORDER BY k", database))
