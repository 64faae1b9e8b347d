"""Periodic actions."""

import threading
from typing import cast

from zcbus.control.platform.background import Background
from zcbus.control.platform.feature import Periodic
from zcbus.control.platform.services import Services

NO_SERVICES = cast("Services", None)


def test_an_action_that_fails_gets_its_next_turn() -> None:
    turns: list[int] = []
    third = threading.Event()

    def act(_: Services) -> None:
        turns.append(1)
        if len(turns) == 3:
            third.set()
        raise RuntimeError("on purpose")

    background = Background(NO_SERVICES, [Periodic("failing", 0.001, act)])
    background.start()
    assert third.wait(5)
    background.stop()


def test_stopping_waits_for_the_turn_under_way_and_begins_no_other() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def act(_: Services) -> None:
        begun.set()
        may_end.wait(5)
        ended.set()

    background = Background(NO_SERVICES, [Periodic("slow", 0.0, act)])
    background.start()
    assert begun.wait(5)
    threading.Timer(0.05, may_end.set).start()
    background.stop()
    assert ended.is_set()
    assert not any(thread.is_alive() for thread in background._threads)
