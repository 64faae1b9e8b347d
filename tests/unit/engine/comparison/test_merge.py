"""Two streams in the order of the key give exactly the rows that are not the same, however they are cut into parts."""

import random
from collections.abc import Iterator, Mapping

import pyarrow as pa
import pytest

from zcbus.engine.comparison.forms import ComparedColumn, Form
from zcbus.engine.comparison.merge import Merge
from zcbus.engine.comparison.rows import Part
from zcbus.model.types import DataType, Kind

NUMBER, TEXT = DataType(Kind.INT64, "bigint"), DataType(Kind.TEXT, "text")
KEY = ComparedColumn("id", "id", NUMBER, NUMBER, Form.NUMBER, lambda values, _source, _target: values)
VALUE = ComparedColumn("v", "v", TEXT, TEXT, Form.EXACT, lambda values, _source, _target: values)


def parts(rows: Mapping[int, str], size: int) -> Iterator[Part]:
    ordered = sorted(rows.items())
    for at in range(0, len(ordered), size):
        some = ordered[at : at + size]
        keys = pa.array([str(key) for key, _ in some], pa.string())
        values = pa.array([value for _, value in some], pa.string())
        batch = pa.RecordBatch.from_arrays([keys, values], names=["id", "v"])
        yield Part(batch, batch.select(["id"]))


def found(source: Mapping[int, str], target: Mapping[int, str], sizes: tuple[int, int]) -> tuple[Merge, set[int]]:
    keys: list[int] = []

    def keep(part: Part, places: object) -> None:
        chosen = range(len(part)) if places is None else list(places)  # type: ignore[call-overload]
        keys.extend(int(part.key(index)[0]) for index in chosen)

    merge = Merge((KEY, VALUE), (KEY,), keep)
    merge.run(parts(source, sizes[0]), parts(target, sizes[1]))
    assert len(keys) == len(set(keys))
    return merge, set(keys)


@pytest.mark.parametrize("seed", range(20))
def test_the_merge_finds_exactly_the_differing_keys(seed: int) -> None:
    chance = random.Random(seed)
    source = {chance.randrange(-900, 3000): "x" for _ in range(1500)}
    target = {key: value for key, value in source.items() if chance.random() > 0.1 * (seed % 3)}
    target.update({chance.randrange(-900, 6000): "x" for _ in range(seed * 20)})
    for key in chance.sample(sorted(target), seed):
        target[key] = "y"
    merge, keys = found(source, target, (chance.randrange(1, 400), chance.randrange(1, 2000)))
    both = source.keys() & target.keys()
    assert keys == (source.keys() ^ target.keys()) | {key for key in both if source[key] != target[key]}
    assert merge.findings.missing == len(source.keys() - target.keys())
    assert merge.findings.extra == len(target.keys() - source.keys())
    assert merge.findings.compared == len(both)


def test_an_empty_side_lacks_everything() -> None:
    rows = dict.fromkeys(range(1000), "x")
    assert found(rows, {}, (100, 100))[0].findings.missing == 1000
    assert found({}, rows, (100, 100))[0].findings.extra == 1000
    assert found({}, {}, (1, 1))[0].findings.total == 0
