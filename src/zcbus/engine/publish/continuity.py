"""Which tables have been captured without a gap since their snapshot began, kept on the bus over restarts.

A table that was left out for a while (refused, dropped, taken out of the publication) must not go on as if nothing had
happened: subscribers would miss changes silently. It is published again only with a new snapshot.
"""

import orjson

from zcbus.bus.contract import Bus, Retention

_KEEP = Retention(size_bytes=1 << 20)


class Continuity:
    """The book of one publish node: table id → generation. Each change is durable when the method returns."""

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus, self._topic = bus, f"state/{node}"
        self._captured: dict[str, int] = {}
        self._interrupted: dict[str, int] = {}
        self.log = ""
        """Identity of the log that was captured last; empty: not known."""
        self._load()

    def _load(self) -> None:
        info = self._bus.info(self._topic)
        if info is None or info.next_offset == 0:
            return
        with self._bus.reader(self._topic, info.next_offset - 1) as reader:
            data = orjson.loads(reader.read(1, 1, 0)[0].payload)
        self._captured, self._interrupted, self.log = data["captured"], data["interrupted"], data.get("log", "")

    def interrupted(self, table: str, generation: int, snapshot_begun: bool) -> bool:
        """Whether changes of the table may be missing from the real topic since this generation's snapshot."""
        if self._interrupted.get(table) == generation:
            return True
        return snapshot_begun and self._captured.get(table) != generation

    def new_since_capture(self, table: str, generation: int) -> bool:
        """Whether nothing of this generation of the table was captured yet, so that no gap harms it."""
        return self._captured.get(table) != generation

    def give_up(self) -> None:
        """Changes of everything that was captured are lost; to be called before capture begins anew."""
        self.left_out(set(self._captured))

    def left_out(self, failed: set[str]) -> None:
        """These tables are left out against the operator's will; to be called before the source is told."""
        gone = {table: generation for table, generation in self._captured.items() if table in failed}
        if gone:
            self._interrupted.update(gone)
            self._captured = {table: g for table, g in self._captured.items() if table not in gone}
            self._save()

    def capturing(self, tables: dict[str, int], log: str) -> None:
        """From now on exactly these tables are captured, from the log of that identity."""
        interrupted = {table: g for table, g in self._interrupted.items() if tables.get(table, g) == g}
        if (tables, interrupted, log) != (self._captured, self._interrupted, self.log):
            self._captured, self._interrupted, self.log = dict(tables), interrupted, log
            self._save()

    def _save(self) -> None:
        data = orjson.dumps({"captured": self._captured, "interrupted": self._interrupted, "log": self.log})
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([data])
            writer.flush()
