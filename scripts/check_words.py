"""Finds retired identifiers in the product's code: names of our own that gave way to the field's terms.

Whole names and parts of names count, not prose. A name or part is added here when its last use is renamed.
"""

import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

RETIRED = {
    "AnnouncedSession": "RegisteredSession",
    "ChangePlace": "ChangeInfo",
    "Continuity": "CaptureHistory",
    "Crew": "WriterPool",
    "Director": "TableScheduler",
    "FeedKeeper": "JsonExportKeeper",
    "FeedNotOffered": "ExportNotOffered",
    "HELD_UP": "BLOCKED",
    "HeldLog": "RetainedLog",
    "HeldRows": "QuarantinedRows",
    "JsonFeed": "JsonExport",
    "KafkaFeed": "KafkaExportWriter",
    "KeyLane": "ApplierCheckpoint",
    "Lane": "Checkpoint",
    "LaneStore": "CheckpointStore",
    "LaneWriter": "CheckpointWriter",
    "LogLetGo": "SlotDropped",
    "Looks": "PollThrottle",
    "MainLane": "ChannelCheckpoint",
    "NearSource": "DirectLoad",
    "Openings": "SessionFactory",
    "Passage": "ChangeForwarder",
    "Patience": "Timeouts",
    "PatientOutput": "NonBlockingOutput",
    "PlaceTooEarly": "PositionTooEarly",
    "PlaceTooLate": "PositionTooLate",
    "PlacedChanges": "RecordChanges",
    "PortionedBus": "BatchLimitedBus",
    "RestlessTables": "UnsteadyTables",
    "Restructuring": "SchemaEvolution",
    "StructureHistory": "SchemaHistory",
    "TableLane": "TableCheckpoint",
    "Teller": "JsonEncoder",
    "Told": "ReportCache",
    "Unevaluated": "ExpressionError",
    "changes_in_words": "change_clauses",
    "create_beside": "create_shadow_table",
    "heard_time": "newest_time",
    "recall_held": "load_quarantined",
    "speaks_tls": "uses_tls",
    "take_rows": "apply_shadow_table",
    "tell_known": "with_existing",
    "write_beside": "write_in_parallel",
    "write_lane": "write_checkpoint",
}
"""Retired name → what it is called now."""

RETIRED_PARTS = {
    "announced": "registered",
    "crew": "pool",
    "director": "scheduler",
    "hear": "receive",
    "house": "housekeeping",
    "lane": "applier, checkpoint",
    "looks": "polls",
    "openings": "session_factory",
    "silence": "liveness",
    "teller": "encoder",
    "tells": "reports",
}
"""Retired part of a snake_case or CamelCase name → terms to use instead."""

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def main() -> None:
    found = [line for path in sorted((ROOT / "src").rglob("*.py")) for line in retired_in(path)]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def retired_in(path: Path) -> list[str]:
    """One line for each use of a retired name, or of a name with a retired part, in a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    return [
        f"{path}:{token.start[0]}: {token.string} is called {called}"
        for token in tokens
        if token.type == tokenize.NAME and (called := replacement(token.string))
    ]


def replacement(name: str) -> str:
    """What to call something with a retired name; empty: the name is fine."""
    if name in RETIRED:
        return RETIRED[name]
    parts = (part.lower() for part in _PART.findall(name))
    return ", ".join(f"{RETIRED_PARTS[part]} (not {part})" for part in parts if part in RETIRED_PARTS)


if __name__ == "__main__":
    main()
