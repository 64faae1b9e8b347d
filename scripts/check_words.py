"""Finds retired identifiers in the product's code: names of our own that gave way to the field's terms.

Only names that code defines or uses count, not prose. A retired name is added here when its last use is renamed.
"""

import io
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

RETIRED = {
    "Continuity": "CaptureHistory",
    "Crew": "WriterPool",
    "Director": "TableScheduler",
    "FeedKeeper": "JsonExportKeeper",
    "HeldRows": "QuarantinedRows",
    "JsonFeed": "JsonExport",
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
    "Restructuring": "SchemaEvolution",
    "StructureHistory": "SchemaHistory",
    "TableLane": "TableCheckpoint",
    "Teller": "JsonEncoder",
    "Told": "ReportCache",
    "Unevaluated": "ExpressionError",
    "write_lane": "write_checkpoint",
}
"""Retired name → what it is called now."""


def main() -> None:
    found = [line for path in sorted((ROOT / "src").rglob("*.py")) for line in retired_in(path)]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def retired_in(path: Path) -> list[str]:
    """One line for each use of a retired name in a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    return [
        f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string} is called {RETIRED[token.string]}"
        for token in tokens
        if token.type == tokenize.NAME and token.string in RETIRED
    ]


if __name__ == "__main__":
    main()
