"""Transaction ids: 32 bits that wrap around, so that each is newer than the two billion assigned before it."""

BITS = 0xFFFFFFFF
_HALF = 1 << 31


def is_newer(transaction: int, other: int) -> bool:
    """Whether a transaction's id was assigned after another's. Says nothing about which ended first.

    Ids with an epoch are compared by their last 32 bits.
    """
    return 0 < ((transaction - other) & BITS) < _HALF
