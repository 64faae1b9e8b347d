"""The shipped document for Salesforce against a service that answers as its REST documentation says."""

import re
from typing import Any

import pytest

from tests.support.rest_service import Asked, Reply, RestService
from tests.unit.connectors.http.asking import options, rows
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.http.document import Interface
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.documents import shipped
from zcbus.connectors.http.pull import HttpPuller
from zcbus.connectors.http.records import schema_of

DOCUMENT = next(one.values["definition"] for one in shipped() if one.name == "salesforce")
QUERY = re.compile(r"SELECT (.+) FROM (\w+)(?: WHERE SystemModstamp >= (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ))?")
"""SOQL has no other way to write a time: neither quotes nor a fraction."""
NEXT = "/services/data/v60.0/query/01g000000000001-2000"


def interface() -> Interface:
    return read(DOCUMENT)


def account(number: int, modified: str) -> dict[str, Any]:
    return {
        "attributes": {"type": "Account", "url": f"/services/data/v60.0/sobjects/Account/{number:018}"},
        "Id": f"{number:018}",
        "Name": f"公司 {number}",
        "AnnualRevenue": 350000000.0,
        "NumberOfEmployees": 9000,
        "CreatedDate": "2026-01-01T00:00:00.000+0000",
        "SystemModstamp": modified,
    }


class Organization:
    """Signs in, runs queries, and refuses as the service does."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.token = "t1"
        self.exceeded = 0

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/services/oauth2/token":
            assert asked.method == "POST"
            assert asked.body == b"grant_type=client_credentials&client_id=key&client_secret=s3cret"
            return Reply({"access_token": self.token, "instance_url": "https://x", "token_type": "Bearer"})
        if asked.headers.get("authorization") != f"Bearer {self.token}":
            return Reply([{"message": "Session expired or invalid", "errorCode": "INVALID_SESSION_ID"}], 401)
        if self.exceeded:
            self.exceeded -= 1
            return Reply([{"message": "TotalRequests Limit exceeded.", "errorCode": "REQUEST_LIMIT_EXCEEDED"}], 403)
        if asked.path == NEXT:
            return self._page([account(2, "2026-03-01T10:00:00.000+0000")])
        query = asked.query["q"]
        if not QUERY.fullmatch(query):
            return Reply([{"message": "unexpected token", "errorCode": "MALFORMED_QUERY"}], 400)
        self.queries.append(query)
        return self._page([account(1, "2026-03-01T09:59:59.000+0000")], NEXT)

    def _page(self, records: list[dict[str, Any]], following: str = "") -> Reply:
        more = {"nextRecordsUrl": following} if following else {}
        return Reply({"totalSize": 2, "done": not following, **more, "records": records})


@pytest.mark.parametrize("name", [one.name for one in interface().resources])
def test_queries_select_what_is_declared(name: str) -> None:
    resource = interface().resource(name)
    assert resource is not None
    assert resource.cursor is not None
    for text in (resource.query["q"], resource.cursor.query["q"].replace("${cursor}", "2026-03-01T10:00:00Z")):
        found = QUERY.fullmatch(text)
        assert found is not None
        assert found.group(1).split(", ") == list(resource.columns)
        assert found.group(2) == name


def test_pages_and_changes_with_a_session_that_ends(service: RestService) -> None:
    organization = Organization()
    service.answer = organization
    asked = options(service, DOCUMENT, account="key", secret="s3cret")
    found = rows(asked, "Account")
    assert [(row[0][-1], row[1], row[8], row[9], row[12]) for row in found] == [
        ("1", "公司 1", "350000000", "9000", "2026-03-01 09:59:59+00"),
        ("2", "公司 2", "350000000", "9000", "2026-03-01 10:00:00+00"),
    ]
    table = schema_of(interface().resources[0], "http")
    with HttpPuller(asked) as puller:
        assert puller.watermark(table) == "SystemModstamp"
        for _ in range(2):
            parts = list(puller.pull(table, "SystemModstamp", "2026-03-01 09:59:59.5+00", 10))
            assert [(part.column("Id").to_pylist(), last) for part, last in parts] == [
                (["000000000000000002"], "2026-03-01 10:00:00+00")
            ]
            organization.token = "t2"
    assert organization.queries[-1].endswith("WHERE SystemModstamp >= 2026-03-01T09:59:59Z")


def test_a_limit_of_the_day_is_no_wrong_password(service: RestService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.http.client.time.sleep", lambda seconds: None)
    organization = Organization()
    service.answer = organization
    asked = options(service, DOCUMENT, account="key", secret="s3cret")
    organization.exceeded = 2
    assert len(rows(asked, "Account")) == 2
    organization.exceeded = 99
    with pytest.raises(SourceUnavailable) as caught:
        rows(asked, "Account")
    assert "REQUEST_LIMIT_EXCEEDED" in str(caught.value.facts["detail"])
