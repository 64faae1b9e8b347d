"""SQLite in the conformance suite: a target, and a source by watermark."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class SQLiteCase(Case):
    """See Case."""

    kind = "sqlite"
    hold = "UPDATE t SET u = 1"
    checks_declared_limits = False
    parallel_keys = False
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "main"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f'SELECT * FROM "{table}" ORDER BY k', database))
