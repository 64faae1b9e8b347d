"""The connection test, check by check."""

import os
from dataclasses import replace

import duckdb

from zcbus.connectors.duckdb.connection import DatabaseFile
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import FileOutside, confined


class DuckDBTester:
    """See Tester."""

    def test(self, options: DuckDBOptions, side: Side) -> list[CheckResult]:
        statement = f"ATTACH {options.file}"
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
        return [self._opened(replace(options, lock_wait=5), side, statement)]

    def _opened(self, options: DuckDBOptions, side: Side, statement: str) -> CheckResult:
        try:
            file = DatabaseFile(options, side)
            try:
                with file.reading() as engine:
                    engine.execute("SELECT 1 FROM duckdb_tables()")
                if side == "target":
                    file.begin()
            finally:
                file.close()
        except ZcbusError as error:
            detail = str(error.facts.get("detail", error))
            return CheckResult("reachable", statement, False, True, detail, "", "access")
        return CheckResult("reachable", statement, True, True, f"DuckDB {duckdb.__version__}")
