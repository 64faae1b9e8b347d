"""Side of a comparison with its server's time charged to a budget."""

from collections.abc import Generator, Sequence

from zcbus.connectors.reading import Key as CanonicalKey
from zcbus.engine.comparison.rows import Key, Part
from zcbus.engine.comparison.sides import SourceSide, TargetSide
from zcbus.engine.verification.budget import Budget


class MeteredSide:
    """Reads from a side and charges the time to a meter."""

    def __init__(self, side: SourceSide | TargetSide, budget: Budget, meter: str) -> None:
        self._side, self._budget, self._meter = side, budget, meter

    def between(self, after: CanonicalKey | None, until: CanonicalKey | None) -> Generator[Part, None, None]:
        """As SourceSide.between."""
        parts = self._side.between(after, until)
        while True:
            with self._budget.on(self._meter):
                part = next(parts, None)
            if part is None:
                return
            yield part

    def find(self, keys: Sequence[Key]) -> Part:
        """As SourceSide.find."""
        with self._budget.on(self._meter):
            return self._side.find(keys)
