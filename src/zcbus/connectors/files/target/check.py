"""Whether a folder can be written, for the connection test."""

from zcbus.connectors.files.target.folder import OWN, WrittenFolder
from zcbus.connectors.options import KindOptions
from zcbus.connectors.roles import CheckResult
from zcbus.connectors.stores import OpenWritableStore
from zcbus.kit.errors import ZcbusError


def check_writing(options: KindOptions, open_store: OpenWritableStore) -> CheckResult:
    """Creates a file, has its second creation refused, and deletes it."""
    statement = f"create {OWN}/probe"
    folder = WrittenFolder(options, open_store)
    try:
        folder.require_exclusive()
    except ZcbusError as error:
        return CheckResult("permissions", statement, False, True, str(error.facts.get("detail", error)), "", "files")
    finally:
        folder.close()
    return CheckResult("permissions", statement, True, True, "")
