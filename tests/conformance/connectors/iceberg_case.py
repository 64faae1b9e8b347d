"""Iceberg in the conformance suite: as Delta Lake, whose types have the same values."""

from tests.conformance.connectors.delta_case import DeltaCase


class IcebergCase(DeltaCase):
    """See Case."""

    kind = "iceberg"

    def schema(self, database: str) -> str:
        return "iceberg"
