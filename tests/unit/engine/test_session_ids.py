"""Numbers that the server knows sessions by."""

from contextlib import ExitStack

from tests.unit.engine.fakes import FakeTarget

from zcbus.engine.subscribe.sessions import SessionFactory, SessionIds


def test_every_session_has_a_number_of_its_own_and_gives_it_back() -> None:
    target = FakeTarget()
    session_factory = SessionFactory(target, "s")
    with session_factory.first(), session_factory.another(), session_factory.another():
        pass
    with session_factory.another():
        pass
    assert [(owner, number) for owner, number, _ in target.registered] == [("s", 0), ("s", 1), ("s", 2), ("s", 1)]


def test_the_first_one_ends_all_but_itself_that_is_not_open_here() -> None:
    target = FakeTarget()
    numbers = SessionIds()
    with SessionFactory(target, "s", numbers).another(), SessionFactory(target, "s", numbers).first():
        pass
    assert target.registered[0][2] == set()
    assert target.registered[1][2] == set(range(2, 128))


def test_sessions_beyond_the_last_number_are_opened_all_the_same() -> None:
    target = FakeTarget()
    session_factory = SessionFactory(target, "s")
    with ExitStack() as open_:
        for _ in range(130):
            open_.enter_context(session_factory.another())
    assert [number for _, number, _ in target.registered] == list(range(1, 128))
