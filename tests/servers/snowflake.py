"""An account of Snowflake that an operator has, where ZCBUS_TEST_SNOWFLAKE=token@host/database/warehouse names it."""

import itertools
import os
import re
from collections.abc import Sequence
from typing import Any

import httpx

from tests.servers.jdbc import quoted
from tests.servers.maven import ServerNotAvailable
from zcbus.connectors.snowflake.spec import SnowflakeOptions

_NAMED = re.compile(r"([^@]+)@([^/]+)/([^/]+)/(.+)")
_NUMBERS = itertools.count(1)


class NamedSnowflake:
    """The token's user may create schemas, of which each is a database of the suite. Raises ServerNotAvailable."""

    kind = "snowflake"

    def __init__(self) -> None:
        named = _NAMED.fullmatch(os.environ.get("ZCBUS_TEST_SNOWFLAKE", ""))
        if named is None:
            raise ServerNotAvailable("preview: ZCBUS_TEST_SNOWFLAKE=token@host/database/warehouse names no account")
        self._token, host, self._database, self._warehouse = named.groups()
        self._url = f"https://{host}"

    def options(self, database: str | None = None) -> SnowflakeOptions:
        return SnowflakeOptions(
            url=self._url,
            token=self._token,
            database=self._database,
            warehouse=self._warehouse,
            interval=1,
            overlap=5,
        )

    def fresh_database(self, prefix: str = "test") -> str:
        name = f"{prefix}_{os.getpid()}_{next(_NUMBERS)}"
        self.rows(f'CREATE SCHEMA "{name}"')
        return name

    def drop_database(self, name: str) -> None:
        self.rows(f'DROP SCHEMA "{name}"')

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        self.rows(quoted(sql), database)

    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "X-Snowflake-Authorization-Token-Type": "PROGRAMMATIC_ACCESS_TOKEN",
            "Accept": "application/json",
            "User-Agent": "zcbus-tests",
        }
        asked = {"statement": sql, "database": self._database, "warehouse": self._warehouse, "timeout": 45}
        content = {**asked, "schema": database} if database else asked
        answer = httpx.post(f"{self._url}/api/v2/statements", json=content, headers=headers, timeout=60)
        answer.raise_for_status()
        return [tuple(row) for row in answer.json()["data"]]
