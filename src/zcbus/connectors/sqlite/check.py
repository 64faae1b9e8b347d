"""The connection test, check by check."""

import os
import sqlite3

from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.sqlite.connection import connect
from zcbus.connectors.sqlite.spec import SQLiteOptions
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import FileOutside, confined


class SQLiteTester:
    """See Tester."""

    def test(self, options: SQLiteOptions, side: Side) -> list[CheckResult]:
        statement = f"open {options.file}"
        try:
            path = confined(options.tenant, options.file)
        except FileOutside as error:
            return [CheckResult("reachable", statement, False, True, str(error), "", "address")]
        if not path.exists() and side == "source":
            return [CheckResult("reachable", statement, False, True, f"{path.name}: no such file", "", "address")]
        if not path.exists():
            # A test changes nothing: the folder's rights decide whether the file could be created.
            folder = next(parent for parent in path.parents if parent.exists())
            writable = os.access(folder, os.W_OK | os.X_OK)
            detail = f"{path.name}: new file" if writable else f"{folder}: no right to write"
            return [CheckResult("permissions", statement, writable, True, detail, "", "" if writable else "access")]
        return [self._opened(options, side, statement)]

    def _opened(self, options: SQLiteOptions, side: Side, statement: str) -> CheckResult:
        try:
            connection = connect(options, "source")
        except ZcbusError as error:
            return CheckResult("reachable", statement, False, True, str(error.facts.get("detail", error)), "", "access")
        try:
            if side == "target":
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            return CheckResult("permissions", "BEGIN IMMEDIATE", False, True, str(error), "", "access")
        finally:
            connection.close()
        return CheckResult("reachable", statement, True, True, f"SQLite {sqlite3.sqlite_version}")
