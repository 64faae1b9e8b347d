"""Fills a small file system through stores of files and makes room again, inside of a mount namespace of its own.

Arguments: an empty folder, on which a small tmpfs is mounted. Ends with 0 if all held. As root, it writes by SFTP too.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.sftp import SftpServer
from zcbus.connectors.errors import TargetFull
from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.local import LocalStore
from zcbus.connectors.stores.sftp import SftpAccess, SftpStore

ROOM, MORE = 3 << 20, 1_500_000


def main() -> None:
    folder = Path(sys.argv[1])
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        print("no tmpfs can be mounted here")
        sys.exit(77)
    os.environ["ZCBUS_FILES_DIR"] = str(folder)
    fill(LocalStore("t", "files", "localfiles"))
    if sys.argv[2:] == ["root"]:
        server = SftpServer()
        try:
            access = SftpAccess("sftp", server.host, server.port, server.user, "", server.key, server.host_key)
            fill(SftpStore(access, str(folder / "t" / "sftp")))
        finally:
            server.remove()


def fill(store: WritableStore) -> None:
    """The error of a full disk, as a target's; and the store writes again once there is room."""
    written = WrittenFolder(LocalFilesOptions("files"), lambda: store)
    written.put("first", b"x" * MORE)
    with pytest.raises(TargetFull):
        written.put("second", b"x" * (ROOM - MORE))
    assert written.get("second") is None
    written.delete("first")
    written.put("second", b"x" * (ROOM - MORE))
    written.delete("second")
    written.close()


if __name__ == "__main__":
    main()
