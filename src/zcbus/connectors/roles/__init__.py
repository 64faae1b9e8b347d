"""The small roles a connector plays; the engine knows nothing else of a database.

All methods block. An object is used by one thread at a time unless said otherwise. Network trouble raises
SourceUnavailable or TargetUnavailable (try again on a new object), everything that a person must mend a TerminalError.
"""

from zcbus.connectors.roles.connector import Advice, CheckResult, Connector, Discoverer, Side, Tester
from zcbus.connectors.roles.source import CapturedTable, ChangeStream, SchemaHistory, SnapshotReader, Source
from zcbus.connectors.roles.target import (
    Checkpoint,
    InexactKey,
    MappedColumn,
    MappingNote,
    Target,
    TargetSession,
    TargetTable,
)

__all__ = [
    "Advice",
    "CapturedTable",
    "ChangeStream",
    "CheckResult",
    "Checkpoint",
    "Connector",
    "Discoverer",
    "InexactKey",
    "MappedColumn",
    "MappingNote",
    "SchemaHistory",
    "Side",
    "SnapshotReader",
    "Source",
    "Target",
    "TargetSession",
    "TargetTable",
    "Tester",
]
