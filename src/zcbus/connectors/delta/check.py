"""The connection test, check by check."""

import deltalake

from zcbus.connectors.delta.folder import OWN, LakeFolder
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.lakes.check import local
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import confined

_SECONDS = 10.0
_SHOWN = 5


class DeltaTester:
    """See Tester."""

    def test(self, options: DeltaOptions, side: Side) -> list[CheckResult]:
        bucket = bucket_of(options)
        first = local(options) if bucket is None else reachable(*bucket.address, bucket.way, _SECONDS)
        if not first.ok:
            return [first]
        if bucket is None and not confined(options.tenant, options.folder).exists():
            return [first]  # a test changes nothing
        return [first, *_tables(options)]


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
