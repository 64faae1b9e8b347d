"""Items in their order, most of them in temporary files."""

import heapq
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from typing import IO, Any, Generic, TypeVar

import orjson

T = TypeVar("T", bound=Any)
_RUN = 100_000
"""Items that are sorted in memory; more are sorted in files."""


class Sorted(Generic[T]):
    """Context manager: an iterator of the items. Its memory does not grow with their number."""

    def __init__(self, items: Iterator[T], to_json: Callable[[T], Any], from_json: Callable[[Any], T]) -> None:
        """Reads all items. `to_json`, `from_json`: the form of an item in a file, and back."""
        self._to_json, self._from_json = to_json, from_json
        self._runs: list[IO[bytes]] = []
        last: list[T] = []
        try:
            while part := sorted(islice(items, _RUN)):
                if last:
                    self._runs.append(self._written(last))
                last = part
        except BaseException:
            self.__exit__()
            raise
        self._merged = heapq.merge(*map(self._read, self._runs), last)

    def __enter__(self) -> Iterator[T]:
        return self._merged

    def __exit__(self, *details: object) -> None:
        for run in self._runs:
            run.close()

    def _written(self, items: list[T]) -> IO[bytes]:
        run: IO[bytes] = tempfile.TemporaryFile(prefix="zcbus-keys-")  # noqa: SIM115  closed by __exit__
        run.writelines(orjson.dumps(self._to_json(one)) + b"\n" for one in items)
        run.seek(0)
        return run

    def _read(self, run: IO[bytes]) -> Iterator[T]:
        for line in run:
            yield self._from_json(orjson.loads(line))
