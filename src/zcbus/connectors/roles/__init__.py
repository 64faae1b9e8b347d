"""Roles of connectors; the engine uses nothing else of a database.

Required of a kind: `Tester`, `Discoverer`, and those of a source (`SnapshotSource` and `ChangeSource`) or of a target,
whose sessions are a `Sink`, a `TransactionalSink`, a `SchemaSink` and a `RowErrorSink`. All other roles are optional: a
class that has one derives from it, and the function of the same name next to the role falls back to the general way
without it.

All methods block. An object is used by one thread at a time unless documented otherwise. Network errors raise
SourceUnavailable or TargetUnavailable (retry with a new object); errors that a person must correct raise a
TerminalError.
"""

from zcbus.connectors.roles.connector import Advice, CheckResult, Connector, Discoverer, Side, Tester
from zcbus.connectors.roles.row_statements import RowStatements
from zcbus.connectors.roles.sink import (
    ConstraintSession,
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
from zcbus.connectors.roles.target import MappingNote, Target, mapping_notes
from zcbus.connectors.roles.target_table import Checkpoint, InexactKey, MappedColumn, TargetTable

__all__ = [
    "Advice",
    "CapturedTable",
    "ChangeSource",
    "ChangeStream",
    "CheckResult",
    "Checkpoint",
    "Connector",
    "ConstraintSession",
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
    "RowStatements",
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
    "mapping_notes",
]
