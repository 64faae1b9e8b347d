"""Recognition of full disks, so that they are not called servers that cannot be reached."""

import errno

from zcbus.connectors.errors import SourceFull, SourceUnavailable, TargetFull, TargetUnavailable
from zcbus.connectors.roles import Side

_NUMBERS = frozenset({errno.ENOSPC, errno.EDQUOT})
_TEXTS = ("no space left on device", "disk quota exceeded", "not enough space on the disk", "enospc")
"""Of the C library and Windows, in lower case. Servers quote them; so may errors that quote values of rows."""
_MAX_CAUSES = 8


def says_full(error: BaseException | str) -> bool:
    """Whether an error, one of its causes, or the text of one, is that a disk or a quota of it is full."""
    if isinstance(error, str):
        return any(text in error.lower() for text in _TEXTS)
    cause: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if cause is None:
            return False
        if (isinstance(cause, OSError) and cause.errno in _NUMBERS) or says_full(str(cause)):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def unavailable_class(side: Side, *, full: bool) -> type[SourceUnavailable | TargetUnavailable]:
    """The class of an error that passes: whether the disk is full, or the data source cannot be used otherwise."""
    if side == "source":
        return SourceFull if full else SourceUnavailable
    return TargetFull if full else TargetUnavailable
