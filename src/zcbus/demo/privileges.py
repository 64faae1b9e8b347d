"""Running a program that refuses to run as root.

PostgreSQL's programs stop if they are started as root. Dropping to another user is not enough: the programs and the
data may lie below a folder that only root may enter. There are two solutions, of which the first that works is used:
a user namespace in which root appears as an ordinary user, and an ordinary user who keeps the one capability that
opens root's folders.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from zcbus.kit.errors import TerminalError

_NOBODY_ID = 65534


class CannotDropPrivileges(TerminalError):
    """This process is root and no way to drop privileges works. Facts: tried."""

    code = "cannot-drop-privileges"


@dataclass(frozen=True, slots=True)
class Privileges:
    """How child processes are started: arguments before their own, and the owner of their files (None: this user)."""

    prefix: tuple[str, ...] = ()
    owner: int | None = None

    def give(self, path: Path) -> None:
        """Give a file or folder to the child's user."""
        if self.owner is not None:
            os.chown(path, self.owner, self.owner)


_AS_OURSELVES = Privileges()
_NAMESPACE = Privileges(("unshare", "--user", "--map-user=1000", "--"))
_OTHER_USER = Privileges(
    (
        "setpriv",
        f"--reuid={_NOBODY_ID}",
        f"--regid={_NOBODY_ID}",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
        "--",
    ),
    _NOBODY_ID,
)


@lru_cache(maxsize=1)
def ordinary_user() -> Privileges:
    """The way to start a program without root. Raises CannotDropPrivileges."""
    if os.geteuid() != 0:
        return _AS_OURSELVES
    for way in (_NAMESPACE, _OTHER_USER):
        if _works(way):
            return way
    raise CannotDropPrivileges(tried="unshare --user, setpriv --reuid")


def _works(way: Privileges) -> bool:
    if shutil.which(way.prefix[0]) is None:
        return False
    result = subprocess.run([*way.prefix, "id", "-u"], capture_output=True, check=False, timeout=10)
    return result.returncode == 0 and result.stdout.strip() not in (b"", b"0")
