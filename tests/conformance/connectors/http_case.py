"""HTTP interfaces in the conformance suite: a source by watermark over a REST service, and a target of events."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class HttpCase(Case):
    """See Case."""

    kind = "http"
    declares_structure = True
    is_target = False
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "http"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f'SELECT * FROM "{table}" ORDER BY k', database))


class WebhookCase(Case):
    """See Case."""

    kind = "http"
    speaks_sql = False
    is_source = False
    sends = True
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return "http"

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(database, table))
