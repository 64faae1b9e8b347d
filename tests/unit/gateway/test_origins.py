"""Whom a call is of: what proxies say counts only where they are trusted."""

from typing import Any

import pytest
from starlette.requests import Request

from zcbus.gateway.origins import Origin, origin_of
from zcbus.kit.gateway_settings import parse_networks

PROXIES = parse_networks("192.0.2.10, 198.51.100.0/24, 127.0.0.1")


def request(peer: str, scheme: str = "http", **headers: str) -> Request:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "client": (peer, 1), "scheme": scheme, "headers": named, "path": "/"}
    return Request({**scope, "server": ("gate", 80), "query_string": b""})


@pytest.mark.parametrize(
    ("peer", "headers", "expected"),
    [
        ("203.0.113.5", {}, Origin("203.0.113.5", False, False)),
        ("203.0.113.5", {"x_forwarded_for": "127.0.0.1"}, Origin("203.0.113.5", False, False)),
        ("203.0.113.5", {"x_forwarded_proto": "https"}, Origin("203.0.113.5", False, False)),
        ("192.0.2.10", {"x_forwarded_for": "203.0.113.5"}, Origin("203.0.113.5", False, False)),
        ("::ffff:192.0.2.10", {"x_forwarded_for": "203.0.113.5"}, Origin("203.0.113.5", False, False)),
        (
            "192.0.2.10",
            {"x_forwarded_for": "127.0.0.1, 203.0.113.5, 198.51.100.7", "x_forwarded_proto": "https"},
            Origin("203.0.113.5", True, False),
        ),
        ("127.0.0.1", {}, Origin("127.0.0.1", True, True)),
        ("127.0.0.1", {"x_forwarded_for": "203.0.113.5"}, Origin("203.0.113.5", False, False)),
    ],
)
def test_behind_proxies(peer: str, headers: dict[str, str], expected: Origin) -> None:
    assert origin_of(request(peer, **headers), PROXIES) == expected


def test_a_proxy_of_this_host_that_is_not_trusted_is_not_the_caller() -> None:
    origin = origin_of(request("127.0.0.1", x_forwarded_for="203.0.113.5"), ())
    assert origin == Origin("127.0.0.1", False, False)
    assert origin_of(request("127.0.0.1"), ()).is_local
    assert origin_of(request("203.0.113.5", scheme="https"), ()).is_private
