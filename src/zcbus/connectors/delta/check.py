"""The connection test, check by check."""

import os

import deltalake

from zcbus.connectors.delta.folder import OWN, LakeFolder
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.lakes.bucket import Bucket, bucket_of
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import FileOutside, confined
from zcbus.kit.network import dial

_SECONDS = 10.0
_SHOWN = 5


class DeltaTester:
    """See Tester."""

    def test(self, options: DeltaOptions, side: Side) -> list[CheckResult]:
        bucket = bucket_of(options)
        first = _local(options) if bucket is None else _reachable(bucket)
        if not first.ok:
            return [first]
        if bucket is None and not confined(options.tenant, options.folder).exists():
            return [first]  # a test changes nothing
        return [first, *_tables(options)]


def _local(options: DeltaOptions) -> CheckResult:
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


def _reachable(bucket: Bucket) -> CheckResult:
    host, port = bucket.address
    statement = f"TCP connect to {host}:{port}"
    try:
        with dial(host, port, _SECONDS) as connection:
            peer = connection.getpeername()
    except (OSError, UnicodeError) as error:
        return CheckResult("reachable", statement, False, True, str(error), "", "address")
    return CheckResult("reachable", statement, True, True, f"{peer[0]}:{peer[1]}")


def _tables(options: DeltaOptions) -> list[CheckResult]:
    statement = f"list {options.place}"
    try:
        folder = LakeFolder(options)
        names = folder.folders()
        folder.open(OWN)
    except ZcbusError as error:
        denied = isinstance(error, AccessDenied)
        item, detail = "login" if denied else "permissions", str(error.facts.get("detail", error))
        return [CheckResult(item, statement, False, True, detail, "", "account" if denied else "files")]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    found = f"{len(names)}: {shown}" if names else "0"
    return [CheckResult("permissions", statement, True, True, f"{found} (delta-rs {deltalake.__version__})")]
