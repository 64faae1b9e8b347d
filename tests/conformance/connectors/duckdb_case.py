"""DuckDB in the conformance suite: a target, and a source by watermark."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class DuckDBCase(Case):
    """See Case."""

    kind = "duckdb"
    hold = "UPDATE t SET u = 1"
    checks_declared_limits = False
    parallel_keys = False
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "mysql.day": ("2024-02-29", "-infinity", "9999-12-31"),
        "mysql.moment": ("9999-12-31 23:59:59", "-infinity"),
        "mysql.moment_fine": ("2024-02-29 12:34:56.789",),
        "mysql.instant": ("2024-02-29 04:34:56+00", "-infinity"),
        "mysql.instant_fine": ("2024-02-29 04:34:56.125+00",),
        "mysql.harvest": ("1901", "2155", "0"),
    }

    def schema(self, database: str) -> str:
        return "main"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f'SELECT * FROM "{table}" ORDER BY k', database))
