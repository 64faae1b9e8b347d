"""Kinds of data sources that are planned and not supported by this version: shown disabled, never offered."""

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
    PlannedKind("oracle", "Oracle", "relational"),
    PlannedKind("sqlserver", "SQL Server", "relational"),
    PlannedKind("db2", "Db2", "relational"),
    PlannedKind("dm", "DM", "relational"),
    PlannedKind("kingbase", "KingbaseES", "relational"),
    PlannedKind("gaussdb", "GaussDB", "relational"),
    PlannedKind("oceanbase", "OceanBase", "relational"),
    PlannedKind("tidb", "TiDB", "relational"),
    PlannedKind("hive", "Hive", "big-data"),
    PlannedKind("doris", "Apache Doris", "big-data"),
    PlannedKind("mongodb", "MongoDB", "document"),
    PlannedKind("salesforce", "Salesforce", "saas"),
)
