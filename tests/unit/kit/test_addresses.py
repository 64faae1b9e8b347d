"""What an address says about how to speak to it."""

import pytest

from zcbus.kit.addresses import is_encrypted


@pytest.mark.parametrize(
    ("url", "encrypted"),
    [
        ("https://bus.example:8443", True),
        ("HTTPS://bus.example", True),
        ("http://127.0.0.1:8080", False),
        ("HTTP://bus.example", False),
        # Whatever it is: better to check too much.
        ("bus.example:8080", True),
    ],
)
def test_certificates_are_left_out_only_where_there_are_none(url: str, encrypted: bool) -> None:
    assert is_encrypted(url) is encrypted
