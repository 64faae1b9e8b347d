"""Arrays of samples: how they are rolled up, merged and stored.

A grid is an array of shape (points, 1 + columns), float64. Column 0 has the seconds that were measured of each point's
interval, 0 where nothing was; the others have one value each, NaN where there is none.
"""

import zlib
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]


class RollUp(StrEnum):
    """Aggregation of the values of shorter intervals into a longer one."""

    SUM = "sum"
    MAX = "max"
    MEAN = "mean"
    """Weighted by the seconds that were measured."""
    LAST = "last"


RollUps = Sequence[RollUp]
"""Of a grid's columns behind the first."""


def empty(points: int, columns: int) -> Grid:
    """A grid in which nothing was measured."""
    grid = np.full((points, 1 + columns), np.nan)
    grid[:, 0] = 0.0
    return grid


def roll_up(grid: Grid, factor: int, roll_ups: RollUps) -> Grid:
    """Every `factor` points, of the first dimension, as one. The number of points must be a multiple of it."""
    if factor == 1:
        return grid
    parts = grid.reshape(-1, factor, *grid.shape[1:])
    rolled = parts[:, 0].copy()
    for place in range(1, factor):
        rolled = merge(rolled, parts[:, place], roll_ups)
    return rolled


def merge(one: Grid, other: Grid, roll_ups: RollUps) -> Grid:
    """Two grids of the same points as one; `other` was measured later."""
    merged = np.empty_like(one)
    merged[..., 0] = one[..., 0] + other[..., 0]
    for column, how in enumerate(roll_ups, start=1):
        merged[..., column] = _merged(one, other, column, how)
    return merged


def _merged(one: Grid, other: Grid, column: int, how: RollUp) -> Grid:
    left, right = one[..., column], other[..., column]
    if how is RollUp.MAX:
        return np.fmax(left, right)
    if how is RollUp.LAST:
        return np.where(np.isnan(right), left, right)
    if how is RollUp.SUM:
        both = left + right
    else:
        weights = one[..., 0] + other[..., 0]
        with np.errstate(invalid="ignore", divide="ignore"):
            both = (left * one[..., 0] + right * other[..., 0]) / weights
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, both))


def pack(grid: Grid) -> bytes:
    """A grid as bytes: column by column, the first bytes of all numbers first, as neighbours are alike in these."""
    columns = np.ascontiguousarray(grid.T, dtype="<f8").view(np.uint8).reshape(-1, 8)
    return zlib.compress(np.ascontiguousarray(columns.T).tobytes(), 1)


def unpack(data: bytes, points: int, columns: int) -> Grid:
    """Inverse of `pack`. Columns that were not known then have no values, those that came later are left out."""
    flat = np.frombuffer(zlib.decompress(data), np.uint8).reshape(8, -1).T
    found = np.ascontiguousarray(flat).view("<f8").reshape(-1, points).T
    known = min(found.shape[1], 1 + columns)
    grid = empty(points, columns)
    grid[:, :known] = found[:, :known]
    return grid
