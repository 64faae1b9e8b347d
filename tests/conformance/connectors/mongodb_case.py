"""MongoDB in the conformance suite: a source by watermark, and a target whose transactions arrive in one step."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class MongoDBCase(Case):
    """See Case."""

    kind = "mongodb"
    speaks_sql = False
    declares_structure = True
    writes_apart = True
    many_rows = 3_000
    odd_name = "O'dd `x` 表; --"
    """Without the quotation marks that SQLite behind the tests' server does not take in names of collections."""
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "mongodb"

    def image(self, database: str, table: str) -> list[object]:
        return sorted(self.server.rows(database, table), key=lambda row: row["k"])
