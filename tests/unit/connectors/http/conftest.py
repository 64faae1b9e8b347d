"""What tests of HTTP interfaces share."""

from collections.abc import Iterator

import pytest

from tests.support.rest_service import RestService, rest_service


@pytest.fixture
def service() -> Iterator[RestService]:
    with rest_service() as running:
        yield running
