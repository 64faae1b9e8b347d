"""HTTP interfaces in the conformance suite: a source by watermark, over a REST service."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class HttpCase(Case):
    """See Case."""

    kind = "http"
    declares_structure = True
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "http"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f'SELECT * FROM "{table}" ORDER BY k', database))
