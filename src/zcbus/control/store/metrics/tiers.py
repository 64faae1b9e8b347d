"""Resolutions of stored series and their retention."""

from dataclasses import dataclass

SLOT = 10
"""Seconds between two samples."""

_HOUR = 3600
_DAY = 24 * _HOUR


@dataclass(frozen=True, slots=True)
class Tier:
    """All in seconds. A block's points are stored as one row."""

    step: int
    block: int
    kept: int

    @property
    def points(self) -> int:
        """Of a block."""
        return self.block // self.step


TIERS = (
    Tier(SLOT, _HOUR, _DAY),
    Tier(60, _DAY, 30 * _DAY),
    Tier(_HOUR, 30 * _DAY, 730 * _DAY),
)
"""The finest first. Each step is a multiple of the one before."""

ROLLED = TIERS[0].block
"""Seconds of samples that become blocks at once."""


def tier_for(step: int, age: float) -> Tier:
    """The tier to read points of `step` seconds from that are up to `age` seconds old: the coarsest whose points fit
    into them, unless that no longer has so old ones."""
    finest = max(index for index, tier in enumerate(TIERS) if step % tier.step == 0)
    return next((tier for tier in TIERS[finest:] if age <= tier.kept), TIERS[-1])
