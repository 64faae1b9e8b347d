"""The small roles a connector plays; the engine knows nothing else of a database.

Required of a kind: `Tester`, `Discoverer`, and what it is: a source (`SnapshotSource` and `ChangeSource`), or a target
whose sessions are a `Sink`, a `TransactionalSink`, a `SchemaSink` and a `RowErrorSink`. All other roles are optional: a
class that plays one derives from it, and the function of the same name beside the role goes the general way without it.

All methods block. An object is used by one thread at a time unless said otherwise. Network trouble raises
SourceUnavailable or TargetUnavailable (try again on a new object), everything that a person must mend a TerminalError.
"""

from zcbus.connectors.roles.connector import Advice, CheckResult, Connector, Discoverer, Side, Tester
from zcbus.connectors.roles.sink import (
    KeyParallelSink,
    LockObserver,
    PacedSession,
    RawSink,
    RegisteredSession,
    RowErrorSink,
    SchemaSink,
    Sink,
    TargetSession,
    TransactionalSink,
)
from zcbus.connectors.roles.snapshot import PackedSnapshot, RawSnapshot, SnapshotReader
from zcbus.connectors.roles.source import (
    CapturedTable,
    ChangeSource,
    ChangeStream,
    IdentifiedLog,
    MeasuredLog,
    RegisteredReader,
    SchemaHistory,
    SnapshotSource,
    Source,
)
from zcbus.connectors.roles.target import MappingNote, Target
from zcbus.connectors.roles.target_table import Checkpoint, InexactKey, MappedColumn, TargetTable

__all__ = [
    "Advice",
    "CapturedTable",
    "ChangeSource",
    "ChangeStream",
    "CheckResult",
    "Checkpoint",
    "Connector",
    "Discoverer",
    "IdentifiedLog",
    "InexactKey",
    "KeyParallelSink",
    "LockObserver",
    "MappedColumn",
    "MappingNote",
    "MeasuredLog",
    "PacedSession",
    "PackedSnapshot",
    "RawSink",
    "RawSnapshot",
    "RegisteredReader",
    "RegisteredSession",
    "RowErrorSink",
    "SchemaHistory",
    "SchemaSink",
    "Side",
    "Sink",
    "SnapshotReader",
    "SnapshotSource",
    "Source",
    "Target",
    "TargetSession",
    "TargetTable",
    "Tester",
    "TransactionalSink",
]
