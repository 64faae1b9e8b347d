"""How to run a program that refuses to run as root, whoever we are.

PostgreSQL's programs stop when they are started as root. Dropping to another user is not enough: the programs and the
data may lie below a folder that only root may enter. Two ways get around that, the first that works is taken:
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

_NOBODY = 65534


class CannotDropPrivileges(TerminalError):
    """We are root and found no way to start a program as an ordinary user. Facts: tried."""

    code = "cannot-drop-privileges"


@dataclass(frozen=True, slots=True)
class Privileges:
    """How child processes are started: words in front of their own, and who owns their files (None: we)."""

    prefix: tuple[str, ...] = ()
    owner: int | None = None

    def give(self, path: Path) -> None:
        """Make the child the owner of a file or folder."""
        if self.owner is not None:
            os.chown(path, self.owner, self.owner)


_AS_OURSELVES = Privileges()
_NAMESPACE = Privileges(("unshare", "--user", "--map-user=1000", "--"))
_OTHER_USER = Privileges(
    (
        "setpriv",
        f"--reuid={_NOBODY}",
        f"--regid={_NOBODY}",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
        "--",
    ),
    _NOBODY,
)


@lru_cache(maxsize=1)
def ordinary_user() -> Privileges:
    """How to start a program as somebody who is not root. Raises CannotDropPrivileges."""
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
