"""The folder of a host's data: keys, bus, orders and logs belong to the account that the platform runs as, alone."""

import os
import stat
from pathlib import Path

from zcbus.kit.errors import TerminalError

_PRIVATE_UMASK = 0o077


class DataFolderUnsafe(TerminalError):
    """Another account may exchange what is in the data folder, its keys among it. Facts: path, mode (octal), owner (its
    number)."""

    code = "data-folder-unsafe"


def keep_private(folder: Path) -> None:
    """Make the folder where it is missing, and let this process and its children make files for its own account only.
    For the start of a program: the umask is the process's. Raises DataFolderUnsafe, OSError.

    A folder that another account may read is taken as it is: what is in it is private by itself. A group may write
    into it, as containers give volumes to their process by a group."""
    os.umask(_PRIVATE_UMASK)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    if found.st_mode & stat.S_IWOTH or found.st_uid not in (0, os.geteuid()):
        raise DataFolderUnsafe(path=str(folder), mode=f"{stat.S_IMODE(found.st_mode):o}", owner=found.st_uid)
