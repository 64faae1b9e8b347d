"""Kinds of data sources that are planned and not supported by this version: shown disabled, never offered.

They need more than a dialect of a kind that is tested on servers: stages of files, redirected loads, a service to sign
in to.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlannedKind:
    """A kind without a connector."""

    kind: str
    label: str
    group: str


GROUPS: tuple[str, ...] = (
    "relational",
    "big-data",
    "message-queue",
    "cache",
    "document",
    "file",
    "http",
    "saas",
)
"""Every group, in the order of the choose-a-type dialog."""

PLANNED: tuple[PlannedKind, ...] = (
    PlannedKind("hive", "Hive", "big-data"),
    PlannedKind("hbase", "HBase", "big-data"),
)
