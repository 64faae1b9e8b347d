"""The connection test, check by check."""

from collections.abc import Callable
from typing import Any

from zcbus.connectors.errors import AccessDenied, FolderMissing, SourceNotReady
from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.files.target.check import check_writing
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.roles.connector import Advice
from zcbus.kit.errors import ZcbusError
from zcbus.model.schema import TableName

_SHOWN = 5


def _advice(error: ZcbusError) -> Advice:
    if error.facts.get("shown"):
        return "host-key"
    if isinstance(error, FolderMissing):
        return "folder"
    return "files" if isinstance(error, AccessDenied) else "address"


class FilesTester:
    """See Tester."""

    def __init__(self, store_of: Callable[[Any], Any], listed: str = "reachable") -> None:
        """`listed`: key of the check that the list of files is."""
        self._store_of, self._listed = store_of, listed

    def test(self, options: FilesOptions, side: Side) -> list[CheckResult]:
        listing = f"list {options.title}"
        with FilesDiscoverer(options, self._store_of(options)) as discoverer:
            found = self._check_listing(listing, discoverer, side)
        if side == "target" and all(check.ok for check in found):
            found.append(check_writing(options, lambda: self._store_of(options)))
        return found

    def _check_listing(self, listing: str, discoverer: FilesDiscoverer, side: Side) -> list[CheckResult]:
        try:
            tables = discoverer.tables()
        except SourceNotReady as error:
            remedy = f"{error.facts['setting']} = {error.facts['expected']}"
            return [CheckResult(self._listed, listing, False, True, str(error.facts["value"]), remedy)]
        except ZcbusError as error:
            detail, shown = str(error.facts.get("detail", error)), str(error.facts.get("shown", ""))
            return [CheckResult(self._listed, listing, False, True, detail, shown, _advice(error))]
        names = ", ".join(one.name.table for one in tables[:_SHOWN]) + (" …" if len(tables) > _SHOWN else "")
        found = [CheckResult(self._listed, listing, True, True, f"{len(tables)}: {names}" if tables else "0")]
        for one in tables[:_SHOWN] if side == "source" else ():
            found.append(self._read(discoverer, one.name))
        return found

    def _read(self, discoverer: FilesDiscoverer, name: TableName) -> CheckResult:
        statement = f"read {name.table}"
        try:
            (schema,) = discoverer.describe([name])
        except ZcbusError as error:
            detail = str(error.facts.get("detail", error))
            return CheckResult("permissions", statement, False, False, detail, "", "files")
        return CheckResult("permissions", statement, True, False, ", ".join(schema.names))
