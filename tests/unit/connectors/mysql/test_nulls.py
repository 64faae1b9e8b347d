"""Values between nulls: at their rows, and null if they are null themselves."""

import random

import numpy as np
import pyarrow as pa

from zcbus.connectors.mysql.binlog.nulls import Nulls


def test_values_stand_where_they_are_and_nulls_between_them() -> None:
    chance = random.Random(3)
    for _ in range(200):
        present = np.array([chance.random() < 0.5 for _ in range(chance.randrange(1, 40))])
        own = [chance.choice(("", "a", "bcd", None)) for _ in range(np.count_nonzero(present))]
        behind_others = pa.array(["x", *own], pa.string())[1:]
        column = Nulls(present).between(behind_others)
        column.validate(full=True)
        given = iter(own)
        assert column.to_pylist() == [next(given) if one else None for one in present]


def test_bytes_stay_bytes() -> None:
    column = Nulls(np.array([False, True])).between(pa.array([b"\xff\x00"], pa.binary()))
    assert column.type == pa.binary()
    assert column.to_pylist() == [None, b"\xff\x00"]
