"""The data folder of a host: keys, bus, orders and logs, private to the platform's account."""

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
    """Create the folder if missing, and set the umask so that new files are private.

    Called at the start of a program, because the umask belongs to the process. Raises DataFolderUnsafe, OSError.

    A folder that other accounts can read is accepted: its files are private by themselves. Its group may write to it,
    because containers give volumes to their process by a group.
    """
    os.umask(_PRIVATE_UMASK)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    if found.st_mode & stat.S_IWOTH or found.st_uid not in (0, os.geteuid()):
        raise DataFolderUnsafe(path=str(folder), mode=f"{stat.S_IMODE(found.st_mode):o}", owner=found.st_uid)
