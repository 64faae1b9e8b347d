"""Two migrations written in parallel are reported before they land."""

import pytest

from tests.support.scripts import load

check_migrations = load("check_migrations")
FIRST, SECOND = ("0001_first.py", ("0001", None)), ("0002_second.py", ("0002", "0001"))


def test_one_chain_is_right() -> None:
    assert check_migrations.breaks(dict([SECOND, FIRST])) == []


@pytest.mark.parametrize(
    "third",
    [
        pytest.param(("0002_third.py", ("0002", "0001")), id="same-number"),
        pytest.param(("0003_third.py", ("0003", "0001")), id="same-place"),
        pytest.param(("0003_third.py", ("0002", "0001")), id="number-not-of-its-name"),
        pytest.param(("0004_third.py", ("0004", "0002")), id="number-left-out"),
        pytest.param(("0003_third.py", (None, None)), id="says-nothing"),
    ],
)
def test_a_migration_that_is_not_the_next_one_is_reported(third: tuple[str, tuple[str | None, str | None]]) -> None:
    (found,) = check_migrations.breaks(dict([FIRST, SECOND, third]))
    assert found.startswith(third[0])


def test_a_migration_states_its_position() -> None:
    assert check_migrations.link('"""x"""\nrevision = "0002"\ndown_revision = "0001"\n') == ("0002", "0001")
    assert check_migrations.link('revision: str = "0001"\ndown_revision = None\n') == ("0001", None)
