"""What a server answers, as errors that say whether to try again; and texts in statements."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.clickhouse.connection import ClickHouseConnection, text
from zcbus.connectors.clickhouse.spec import ClickHouseOptions
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, TargetFull, TargetUnavailable


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (403, "516", AccessDenied),
        (500, "497", AccessDenied),
        (401, "", AccessDenied),
        (500, "252", TargetUnavailable),
        (500, "241", TargetUnavailable),
        (500, "243", TargetFull),
        (503, "", TargetUnavailable),
        (404, "60", DatabaseFailed),
        (302, "", DatabaseFailed),
    ],
)
def test_error_numbers_map_to_errors(status: int, code: str, error: type[Exception]) -> None:
    """The number of the reason counts, by its header or else in the text; without one the status does."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        header = {"x-clickhouse-exception-code": code} if code and len(asked) == 1 else {}
        words = f"Code: {code}. DB::Exception: no" if code else "<html>"
        return httpx.Response(status, headers={**header, "location": "/elsewhere"}, text=words)

    with ClickHouseConnection(ClickHouseOptions(host="h", user="u", password="p")) as connection:
        connection._http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://h")
        for _ in range(2):
            with pytest.raises(error):
                connection.run("SELECT 1")
    assert len(asked) == 2, "a redirection is not followed"
    assert asked[0].url.params["wait_end_of_query"] == "1"


@pytest.mark.parametrize("host", ["a:b:c", "a..b"])
def test_hosts_that_are_none(host: str) -> None:
    def ask() -> None:
        with ClickHouseConnection(ClickHouseOptions(host=host)) as connection:
            connection.run("SELECT 1")

    with pytest.raises(TargetUnavailable):
        ask()


@given(st.text() | st.binary())
def test_every_special_character_of_a_literal_is_escaped(value: str | bytes) -> None:
    found = text(value)
    inner = found[1:-1]
    assert found == f"'{inner}'"
    assert not set(inner) - set("\\" + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    # Each backslash begins a byte.
    parts = inner.split("\\")
    read = parts[0].encode() + b"".join(bytes.fromhex(one[1:3]) + one[3:].encode() for one in parts[1:])
    assert read == (value.encode() if isinstance(value, str) else value)
