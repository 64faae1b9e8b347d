"""Episodes of a pair of databases; a failed one is made smaller, and printed as a script."""

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.schemas.episode import QUIET, SETTLING_SECONDS, Counts, Different, Episode, Script
from tests.servers.base import Server

SHRINKING_SECONDS = 240.0
_FAMILIES = {"ta": ["ta", "tb"], "tb": ["ta", "tb"], "marker": ["ta", "tb", "tk", "tu", "tp"]}
"""Tables that meet in a table's changes."""
_SHORT_SECONDS = 8.0
"""What has stopped nor become equal until then counts as failed, while a script is made smaller."""


@dataclass(frozen=True)
class Pair:
    source: Server
    target: Server
    name: str

    def generate(self, seed: int, steps: int, rounds: int) -> Counts:
        """Raises AssertionError with the seed and a small script that does the same."""
        with self._episode(None) as episode:
            try:
                episode.generate(f"{self.name} {seed}", steps, rounds)
            except Different as error:
                script, found = list(episode.script), error
            else:
                return episode.counts
        smaller = self._smaller(script, found.table)
        raise AssertionError(f"{self.name}, seed {seed}: {found}\nscript:\n" + "\n".join(smaller))

    def replay(self, script: Script, tables: Sequence[str] | None = None, settling: float = SETTLING_SECONDS) -> Counts:
        """Raises Different."""
        with self._episode(tables, settling) as episode:
            episode.replay(script)
            return episode.counts

    @contextlib.contextmanager
    def _episode(self, tables: Sequence[str] | None, settling: float = SETTLING_SECONDS) -> Iterator[Episode]:
        with tempfile.TemporaryDirectory(prefix="zcbus-schemas-") as folder:
            episode = Episode(self.source, self.target, Path(folder), tables, settling)
            try:
                yield episode
            finally:
                episode.close()

    def _smaller(self, script: Script, table: str) -> Script:
        """Of the failed table alone, where it fails so too."""
        deadline = time.monotonic() + SHRINKING_SECONDS
        tables = _FAMILIES.get(table, [table])

        def fails(steps: Script) -> bool:
            try:
                self.replay([*steps, QUIET], tables, min(SETTLING_SECONDS, _SHORT_SECONDS))
            except AssertionError:
                return True
            return False

        body = script[:-1]
        own = [step for step in body if not step.startswith(("sql", "reload")) or _concerns(step, tables)]
        body = next((one for one in ([s for s in own if s != QUIET], own) if fails(one)), own)
        return [*smaller(body, fails, lambda: time.monotonic() > deadline), QUIET]


def _concerns(step: str, tables: Sequence[str]) -> bool:
    words = step.split()
    shared = words[1] in ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "SET")
    return shared or any(name in step for name in (*tables, "copied", "TYPE mood", "TYPE place", "tx"))


def smaller(steps: Script, fails: Callable[[Script], bool], over: Callable[[], bool]) -> Script:
    """As few of the steps as still fail, until it is over."""
    parts = 2
    while len(steps) > 1 and not over():
        size = -(-len(steps) // parts)
        for first in range(0, len(steps), size):
            rest = steps[:first] + steps[first + size :]
            if not over() and fails(rest):
                steps, parts = rest, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(steps))
    return steps
