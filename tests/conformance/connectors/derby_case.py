"""Apache Derby in the conformance suite: a source by watermark."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class DerbyCase(Case):
    """See Case."""

    kind = "derby"
    many_rows = 8000
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "APP"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f"SELECT * FROM {table} ORDER BY k", database))
