"""Delta Lake in the conformance suite: a target whose transactions arrive in one step."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase, Value


class DeltaCase(Case):
    """See Case."""

    kind = "delta"
    speaks_sql = False
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {}

    def schema(self, database: str) -> str:
        return "delta"

    def image(self, database: str, table: str) -> list[object]:
        rows = self.server.rows(database, table)
        return sorted(rows, key=lambda row: row["k"])
