"""Sizes of pages that requests have unless they say otherwise."""

from zcbus.control.features.alert.schemas import AlertPageRequest
from zcbus.control.features.cluster.schemas import ContainerPageRequest
from zcbus.control.features.simplify_sync.schemas import TreeRequest


def test_default_sizes_of_pages() -> None:
    assert (AlertPageRequest().current, AlertPageRequest().size) == (1, 20)
    assert ContainerPageRequest().size == 100
    assert TreeRequest().size == 20
