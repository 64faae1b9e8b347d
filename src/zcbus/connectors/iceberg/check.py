"""The connection test, check by check."""

import pyiceberg

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.iceberg.catalogue import LakeCatalogue
from zcbus.connectors.iceberg.spec import IcebergOptions
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.lakes.check import local
from zcbus.connectors.reachability import reachable, reachable_url
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import confined

_SECONDS = 10.0
_SHOWN = 5


class IcebergTester:
    """See Tester."""

    def test(self, options: IcebergOptions, side: Side) -> list[CheckResult]:
        found = list(_places(options))
        if not all(check.ok for check in found):
            return found
        if options.catalogue == "sqlite" and not confined(options.tenant, options.folder).exists():
            return found  # a test changes nothing
        return [*found, _tables(options)]


def _places(options: IcebergOptions) -> list[CheckResult]:
    """Whether what the catalogue and the files are on can be used."""
    found = []
    if options.catalogue == "sqlite":
        found.append(local(options))
    elif options.uri:
        found.append(reachable_url(options.uri, options.way, _SECONDS))
    bucket = bucket_of(options)
    if bucket is not None:
        found.append(reachable(*bucket.address, bucket.way, _SECONDS))
    return found


def _tables(options: IcebergOptions) -> CheckResult:
    statement = f"list {options.namespace}"
    try:
        names = LakeCatalogue(options).names()
    except ZcbusError as error:
        is_denied = isinstance(error, AccessDenied)
        detail = str(error.facts.get("detail", error))
        item = "login" if is_denied else "permissions"
        return CheckResult(item, statement, False, True, detail, "", "account" if is_denied else "files")
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    listed = f"{len(names)}: {shown}" if names else "0"
    return CheckResult("permissions", statement, True, True, f"{listed} (PyIceberg {pyiceberg.__version__})")
