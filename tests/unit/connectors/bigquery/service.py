"""A project of BigQuery as the documentation describes its REST interface. DuckDB runs the statements, which proves
what is said and read, not the product."""

import base64
import json
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

import duckdb
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.support.rest_service import Asked, Reply

PROJECT = "/bigquery/v2/projects/shop-prod"
_LIKE_THERE = (
    "CREATE SCHEMA shop",
    "CREATE MACRO FORMAT_DATETIME(form, x) AS strftime(x, '%Y-%m-%d %H:%M:%S.%f')",
    "CREATE MACRO SESSION_USER() AS 'loader@shop-prod.iam.gserviceaccount.com'",
)


@lru_cache(maxsize=1)
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def key_file(url: str) -> str:
    """What Google hands out for a service account."""
    pem = private_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return json.dumps(
        {
            "type": "service_account",
            "private_key_id": "k1",
            "private_key": pem,
            "client_email": "loader@shop-prod.iam.gserviceaccount.com",
            "token_uri": f"{url}/token",
        }
    )


@dataclass
class Project:
    """Answers requests; `table`: the description of the table shop.orders."""

    url: str
    table: dict[str, Any]
    rows_each: int = 2
    waits: int = 1
    """How often a query is still running when it is asked after."""
    token: str = "t1"
    failure: Reply | None = None
    queries: list[dict[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.database = duckdb.connect()
        self._lock = threading.Lock()
        self._results: dict[str, list[list[str | None]]] = {}
        self._waiting: dict[str, int] = {}
        for statement in _LIKE_THERE:
            self.database.execute(statement)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/token":
            return self._signed_in(asked)
        if asked.headers["authorization"] != f"Bearer {self.token}":
            return error(401, "authError", "Invalid Credentials")
        with self._lock:
            return self._answer(asked, asked.path.removeprefix(PROJECT))

    def _signed_in(self, asked: Asked) -> Reply:
        given = parse_qs(asked.body.decode())
        assert given["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        head, claims, signature = given["assertion"][0].split(".")
        private_key().public_key().verify(_decoded(signature), f"{head}.{claims}".encode(), PKCS1v15(), SHA256())
        said = json.loads(_decoded(claims))
        assert said["aud"] == f"{self.url}/token"
        assert said["exp"] - said["iat"] == 3600
        return Reply({"access_token": self.token, "expires_in": 3599, "token_type": "Bearer"})

    def _answer(self, asked: Asked, place: str) -> Reply:
        match place.split("/")[1:]:
            case ["queries"]:
                return self._begin(asked.json)
            case ["queries", job]:
                return self._page(job, int(asked.query.get("pageToken", "0")))
            case ["jobs", job, "cancel"]:
                self.cancelled.append(job)
                return Reply({})
            case ["datasets"]:
                return self._datasets(asked.query.get("pageToken", ""))
            case ["datasets", "shop", "tables"]:
                listed = [{"tableReference": {"tableId": name}, "type": kind} for name, kind in self._listed()]
                return Reply({"tables": listed})
            case ["datasets", "shop", "tables", "orders"]:
                return Reply(self.table)
            case ["datasets", "empty", "tables"]:
                return Reply({"totalItems": 0})
        return error(404, "notFound", f"Not found: {place}")

    def _listed(self) -> list[tuple[str, str]]:
        return [("orders", "TABLE"), ("orders_view", "VIEW")]

    def _datasets(self, token: str) -> Reply:
        name = "empty" if token else "shop"
        more = {} if token else {"nextPageToken": "2"}
        return Reply({"datasets": [{"datasetReference": {"datasetId": name}}], **more})

    def _begin(self, content: dict[str, Any]) -> Reply:
        self.queries.append(content)
        if self.failure is not None:
            return self.failure
        sql = content["query"].replace("`", '"')
        values = [one["parameterValue"]["value"] for one in content["queryParameters"]]
        job = f"job{len(self.queries)}"
        if "TABLE_CONSTRAINTS" in sql:
            self._results[job] = [["orders"]]
        else:
            found = self.database.execute(sql, values or None).fetchall()
            self._results[job] = [[_text(value) for value in row] for row in found]
        self._waiting[job] = self.waits
        return Reply({"jobComplete": False, "jobReference": {"jobId": job, "location": "EU"}})

    def _page(self, job: str, first: int) -> Reply:
        reference = {"jobId": job, "location": "EU"}
        if self._waiting[job] > 0:
            self._waiting[job] -= 1
            return Reply({"jobComplete": False, "jobReference": reference})
        rows, last = self._results[job], first + self.rows_each
        more = {"pageToken": str(last)} if last < len(rows) else {}
        cells = [{"f": [{"v": value} for value in row]} for row in rows[first:last]]
        found = {"rows": cells} if cells else {}
        return Reply({"jobComplete": True, "jobReference": reference, "totalRows": str(len(rows)), **found, **more})


def error(status: int, reason: str, message: str) -> Reply:
    return Reply({"error": {"code": status, "message": message, "errors": [{"reason": reason}]}}, status)


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return str(value)
