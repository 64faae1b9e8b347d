"""Requests that could not be read on the way."""

import pytest
from fastapi import Request

from zcbus.control.platform.encrypted_body import is_private


@pytest.mark.parametrize(
    ("scheme", "address", "private"),
    [
        ("https", "10.0.0.7", True),
        ("http", "127.0.0.1", True),
        ("http", "::1", True),
        ("http", "::ffff:127.0.0.1", True),
        ("http", "10.0.0.7", False),
        ("http", "::ffff:10.0.0.7", False),
        ("http", "localhost.example", False),
    ],
)
def test_private_requests(scheme: str, address: str, private: bool) -> None:
    scope = {"type": "http", "scheme": scheme, "client": (address, 1), "headers": [], "path": "/", "server": ("x", 80)}
    assert is_private(Request(scope)) is private
