"""The order of the fault tests."""

import pytest

_ORDER = ("test_killed_under_load", "test_network", "test_host_gone", "test_workers_on_kafka")
"""Files whose tests take longest. They begin first, so that no worker is left alone with one of them at the end."""
_LAST = "test_structure_under_load"
"""Many short tests of two long set-ups."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    name = item.path.stem
    return _ORDER.index(name) if name in _ORDER else len(_ORDER) + (name == _LAST)
