"""OpenSearch in the conformance suite: a source by watermark, and a target whose transactions arrive in one step."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class OpenSearchCase(Case):
    """See Case."""

    kind = "opensearch"
    speaks_sql = False
    declares_structure = True
    writes_apart = True
    many_rows = 3_000
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "opensearch"

    def image(self, database: str, table: str) -> list[object]:
        return sorted(self.server.rows(database, table), key=lambda row: row["k"])
