"""A project of BigQuery that an operator has, where ZCBUS_TEST_BIGQUERY=project/location names it, and
ZCBUS_TEST_BIGQUERY_KEY the file with the key of a service account."""

import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from tests.servers.maven import ServerNotAvailable
from zcbus.connectors.bigquery import sign_in
from zcbus.connectors.bigquery.spec import GOOGLE, BigQueryOptions

_NAMED = re.compile(r"([^/]+)/([^/]+)")
_KEY = re.compile(r"(PRIMARY KEY \([^)]*\))")
_NUMBERS = itertools.count(1)


class NamedBigQuery:
    """The account may create datasets, of which each is a database of the suite. Raises ServerNotAvailable."""

    kind = "bigquery"

    def __init__(self) -> None:
        named = _NAMED.fullmatch(os.environ.get("ZCBUS_TEST_BIGQUERY", ""))
        if named is None:
            raise ServerNotAvailable("preview: ZCBUS_TEST_BIGQUERY=project/location names no project")
        self._project, self._location = named.groups()
        self._key = Path(os.environ["ZCBUS_TEST_BIGQUERY_KEY"]).read_text()

    def options(self, database: str | None = None) -> BigQueryOptions:
        return BigQueryOptions(database=self._project, location=self._location, key=self._key, interval=1, overlap=5)

    def fresh_database(self, prefix: str = "test") -> str:
        name = f"{prefix}_{os.getpid()}_{next(_NUMBERS)}"
        self.rows(f"CREATE SCHEMA `{name}`")
        return name

    def drop_database(self, name: str) -> None:
        self.rows(f"DROP SCHEMA `{name}` CASCADE")

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        self.rows(_KEY.sub(r"\1 NOT ENFORCED", sql.replace("VARCHAR", "STRING")), database)

    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        content: dict[str, Any] = {
            "query": sql,
            "useLegacySql": False,
            "location": self._location,
            "timeoutMs": 60_000,
            **({"defaultDataset": {"datasetId": database}} if database else {}),
        }
        url = f"{GOOGLE}/bigquery/v2/projects/{self._project}/queries"
        answer = httpx.post(url, json=content, headers={"Authorization": f"Bearer {self._token()}"}, timeout=90)
        answer.raise_for_status()
        return [tuple(one["v"] for one in row["f"]) for row in answer.json().get("rows", ())]

    def _token(self) -> str:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = httpx.post(sign_in.token_place(self._key), content=sign_in.request(self._key), headers=form)
        answer.raise_for_status()
        return str(answer.json()["access_token"])
