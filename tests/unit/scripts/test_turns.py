"""Of cases that are alike one runs in `make test`, all others in `make soak`."""

from collections.abc import Iterable

import pytest

from tests.support.parts import SOAK, TEST, part_of
from tests.support.turns import take_turns

SERVERS = ("postgresql12", "postgresql18", "mysql", "mysql8", "sqlite")


def family(server: str) -> str:
    return server.rstrip("0123456789")


def cases(
    request: pytest.FixtureRequest, name: str, marks: Iterable[pytest.MarkDecorator] = (), lengths: int = 1
) -> list[pytest.Item]:
    made: list[pytest.Item] = []
    for length in range(lengths):
        for index, server in enumerate(SERVERS):
            item = pytest.Function.from_parent(
                request.node.parent, name=f"{name}[{server}-{length}]", callobj=lambda: None
            )
            indices = {"server": index, "length": length}
            call = {"params": {"server": server, "length": length}, "indices": indices, "id": f"{server}-{length}"}
            item.callspec = type("CallSpec", (), call)()  # type: ignore[assignment]
            for mark in marks:
                item.add_marker(mark)
            made.append(item)
    return made


def kept(items: Iterable[pytest.Item]) -> list[str]:
    return [item.name.partition("[")[2].partition("-")[0] for item in items if part_of(item) != SOAK]


def test_one_of_each_family_stays(request: pytest.FixtureRequest) -> None:
    items = cases(request, "test_any")
    take_turns(items, "server", family)
    assert sorted(map(family, kept(items))) == ["mysql", "postgresql", "sqlite"]


def test_every_server_has_its_turn(request: pytest.FixtureRequest) -> None:
    items = [item for number in range(20) for item in cases(request, f"test_{number}")]
    take_turns(items, "server", family)
    assert set(kept(items)) == set(SERVERS)


def test_cases_of_another_parameter_are_not_alike(request: pytest.FixtureRequest) -> None:
    items = cases(request, "test_any", lengths=3)
    take_turns(items, "server", family)
    assert len(kept(items)) == 9


@pytest.mark.parametrize("mark", [pytest.mark.every_case, pytest.mark.soak(but=["*"])])
def test_marked_tests_know_no_turns(request: pytest.FixtureRequest, mark: pytest.MarkDecorator) -> None:
    items = cases(request, "test_any", [mark])
    take_turns(items, "server", family)
    assert kept(items) == list(SERVERS)


def test_a_test_without_the_parameter_stays(request: pytest.FixtureRequest) -> None:
    items = [pytest.Function.from_parent(request.node.parent, name="test_any", callobj=lambda: None)]
    take_turns(items, "server", family)
    assert part_of(items[0]) == TEST
