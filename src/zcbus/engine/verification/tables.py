"""Verification state of one service's tables, stored on its host."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from zcbus.engine.comparison import record as records
from zcbus.engine.comparison.record import Record
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.verification import progress_store
from zcbus.engine.verification.progress import CheckedRows, report_of, with_found
from zcbus.engine.verification.progress_store import PassProgress
from zcbus.engine.verification.turns import Turn
from zcbus.model.comparison import Difference
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import VerificationRequest

_KEEP_SECONDS = 1.0


@dataclass(slots=True)
class KnownTable:
    """Verification state of one table."""

    progress: PassProgress
    record: Record
    """The rows that differ."""
    reason: Reason | None = None
    """Why the table cannot be verified now."""
    again_at: float = 0.0
    """Monotonic time of the next attempt."""
    kept_at: float = 0.0
    settling: CheckedRows | None = None
    """The range behind the progress, whose differences are new and read once more. Not stored: after a restart the
    range is read again."""


class KnownTables:
    """Tables' verification state, kept over restarts. A new generation of a table starts from scratch."""

    def __init__(self, data_dir: Path, service: str) -> None:
        self._progress_folder, self._records = (
            progress_store.folder_of(data_dir, service),
            records.folder_of(data_dir, service),
        )
        self._known: dict[str, KnownTable] = {}

    def of(self, run: SyncRun) -> KnownTable:
        """State of a table."""
        name, generation = run.task.id, run.task.generation
        known = self._known.get(name)
        if known is None:
            progress = progress_store.read(self._progress_folder, name)
            record = records.read(self._records, name) if progress is not None else None
            known = KnownTable(progress or PassProgress(generation), record or Record(1))
        if known.progress.generation != generation:
            known = KnownTable(
                PassProgress(generation, asked=known.progress.asked, repair=known.progress.repair), Record(1)
            )
            records.write(self._records, name, known.record)
        self._known[name] = known
        return known

    def turn(self, run: SyncRun, request: VerificationRequest) -> Turn:
        """The table's entry in the order of turns."""
        known = self.of(run)
        progress = known.progress
        requested = request.number > progress.asked or request.repair > progress.repair
        return Turn(
            run.task.id,
            requested,
            progress.turned_at,
            progress.finished_at,
            bool(known.record.keys),
            known.settling is not None,
        )

    def begin(self, run: SyncRun, progress: PassProgress) -> None:
        """Start or continue the table's pass. Not stored: a crash loses nothing yet."""
        known = self.of(run)
        if progress.began_at != known.progress.began_at:
            known.settling = None
        known.progress = progress

    def move(self, run: SyncRun, progress: PassProgress, now: float, *, keep: bool = False) -> None:
        """Set the table's progress. It is stored at once (`keep`), else at most once a second."""
        known = self.of(run)
        known.progress = progress
        if keep or now - known.kept_at >= _KEEP_SECONDS:
            progress_store.write(self._progress_folder, run.task.id, progress)
            known.kept_at = now
        self.update_report(run)

    def find(self, run: SyncRun, found: Mapping[tuple[str, ...], Difference], key: tuple[str, ...]) -> None:
        """Record these rows as all that differ."""
        known = self.of(run)
        if not found and known.record.keys:
            # The next pass proves whether all rows are equal now: it is due at once.
            known.progress = replace(known.progress, finished_at=None)
        if found or known.record.keys:
            known.record = with_found(known.record, found, key)
            records.write(self._records, run.task.id, known.record)
        self.update_report(run)

    def differences(self, run: SyncRun) -> dict[tuple[str, ...], Difference]:
        """Rows known to differ whose values are stored."""
        return {one.key: one for one in self.of(run).record.differences}

    def stop(self, run: SyncRun, reason: Reason | None, again_at: float, at: datetime) -> None:
        """End the table's turn; `reason`: why it cannot be verified until `again_at`."""
        known = self.of(run)
        known.reason, known.again_at = reason, again_at
        known.progress = replace(known.progress, turned_at=at)
        self.update_report(run)

    def update_report(self, run: SyncRun) -> None:
        """Update the verification in the table's report."""
        known = self.of(run)
        run.verification = report_of(known.progress, known.record, known.reason)

    def forget(self, existing: set[str]) -> None:
        """Remove the state of all other tables."""
        for name in self._known.keys() - existing:
            del self._known[name]
        progress_store.forget(self._progress_folder, existing)
        records.forget(self._records, existing)
