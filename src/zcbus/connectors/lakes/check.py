"""Checks of a connection test that all lakes have."""

import os

from zcbus.connectors.lakes.options import LakeOptions
from zcbus.connectors.roles import CheckResult
from zcbus.kit.file_folder import FileOutside, confined


def local(options: LakeOptions) -> CheckResult:
    """Whether the folder, or the one that it would be made in, can be written. Changes nothing."""
    statement = f"open {options.folder}"
    try:
        path = confined(options.tenant, options.folder)
    except FileOutside as error:
        return CheckResult("reachable", statement, False, True, str(error), "", "address")
    there = next(one for one in (path, *path.parents) if one.exists())
    writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    detail = (
        f"{path.name}: {'folder' if path.exists() else 'new folder'}" if writable else f"{there}: no right to write"
    )
    return CheckResult("permissions", statement, writable, True, detail, "", "" if writable else "files")
