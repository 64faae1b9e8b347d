"""A side of a table whose server's time is charged to a budget."""

from collections.abc import Generator, Sequence

from zcbus.connectors.reading import Key as RowPlace
from zcbus.engine.comparison.merge import Key, Part
from zcbus.engine.comparison.sides import SourceSide, TargetSide
from zcbus.engine.verification.budget import Budget


class MeteredSide:
    """Reads as the side that it has, and measures how long that takes."""

    def __init__(self, side: SourceSide | TargetSide, budget: Budget, meter: str) -> None:
        self._side, self._budget, self._meter = side, budget, meter

    def between(self, after: RowPlace | None, until: RowPlace | None) -> Generator[Part, None, None]:
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
