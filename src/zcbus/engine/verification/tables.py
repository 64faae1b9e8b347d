"""What verification knows of the tables of one service, and keeps on its host."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from zcbus.engine.comparison import record as records
from zcbus.engine.comparison.record import Record
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.verification import place as places
from zcbus.engine.verification.place import Place
from zcbus.engine.verification.progress import told, with_found
from zcbus.engine.verification.turns import Turn
from zcbus.model.comparison import Difference
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import VerificationRequest

_KEEP_SECONDS = 1.0


@dataclass(slots=True)
class KnownTable:
    """One table."""

    place: Place
    record: Record
    """Of the rows that differ."""
    reason: Reason | None = None
    """Why it cannot be verified now."""
    again_at: float = 0.0
    """Monotonic time before which it is not tried again."""
    kept_at: float = 0.0


class KnownTables:
    """Kept over restarts; what a generation knew is forgotten with it."""

    def __init__(self, data_dir: Path, service: str) -> None:
        self._places, self._records = places.folder_of(data_dir, service), records.folder_of(data_dir, service)
        self._known: dict[str, KnownTable] = {}

    def of(self, run: SyncRun) -> KnownTable:
        """What is known of a table."""
        name, generation = run.task.id, run.task.generation
        known = self._known.get(name)
        if known is None:
            place = places.read(self._places, name)
            record = records.read(self._records, name) if place is not None else None
            known = KnownTable(place or Place(generation), record or Record(1))
        if known.place.generation != generation:
            known = KnownTable(Place(generation, asked=known.place.asked, repair=known.place.repair), Record(1))
            records.write(self._records, name, known.record)
        self._known[name] = known
        return known

    def turn(self, run: SyncRun, request: VerificationRequest) -> Turn:
        """What the order of turns depends on."""
        known = self.of(run)
        place = known.place
        asked = request.number > place.asked or request.repair > place.repair
        return Turn(run.task.id, asked, place.turned_at, place.finished_at, bool(known.record.keys))

    def begin(self, run: SyncRun, place: Place) -> None:
        """The table's pass begins or goes on there; nothing is lost yet where that is not kept."""
        self.of(run).place = place

    def move(self, run: SyncRun, place: Place, now: float, *, keep: bool = False) -> None:
        """The table's place is another one; on disk at once (`keep`), or where none was for a second."""
        known = self.of(run)
        known.place = place
        if keep or now - known.kept_at >= _KEEP_SECONDS:
            places.write(self._places, run.task.id, place)
            known.kept_at = now
        self.tell(run)

    def find(self, run: SyncRun, found: Mapping[tuple[str, ...], Difference], key: tuple[str, ...]) -> None:
        """These rows of the table differ, and no others."""
        known = self.of(run)
        if not found and known.record.keys:
            # The next pass tells whether all are the same now: it need not wait.
            known.place = replace(known.place, finished_at=None)
        if found or known.record.keys:
            known.record = with_found(known.record, found, key)
            records.write(self._records, run.task.id, known.record)
        self.tell(run)

    def differences(self, run: SyncRun) -> dict[tuple[str, ...], Difference]:
        """Rows that are known to differ, as far as their values are kept."""
        return {one.key: one for one in self.of(run).record.differences}

    def stop(self, run: SyncRun, reason: Reason | None, again_at: float, at: datetime) -> None:
        """Something is in the table's way."""
        known = self.of(run)
        known.reason, known.again_at = reason, again_at
        known.place = replace(known.place, turned_at=at)
        self.tell(run)

    def tell(self, run: SyncRun) -> None:
        """Have the table's report say it."""
        known = self.of(run)
        run.verification = told(known.place, known.record, known.reason)

    def forget(self, wanted: set[str]) -> None:
        """What is known of all other tables."""
        for name in self._known.keys() - wanted:
            del self._known[name]
        places.forget(self._places, wanted)
        records.forget(self._records, wanted)
