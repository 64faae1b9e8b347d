"""What verification spends is paid for by pauses, on each meter."""

import pytest

from zcbus.engine.verification.budget import PROCESSOR, SOURCE, TARGET, Budget


class Machine:
    """Time that passes, and time that the thread works."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.worked = 5.0

    def budget(self, percent: float) -> Budget:
        return Budget(percent, lambda: self.now, lambda: self.worked)

    def work(self, seconds: float) -> None:
        self.now += seconds
        self.worked += seconds

    def ask(self, budget: Budget, meter: str, seconds: float) -> None:
        with budget.on(meter):
            self.now += seconds


def test_a_pause_makes_up_for_what_was_worked() -> None:
    machine = Machine()
    budget = machine.budget(1)
    assert budget.pause() == 0
    machine.work(0.02)
    assert budget.pause() == pytest.approx(1.98)
    machine.now += 1.5
    assert budget.pause() == pytest.approx(0.48)
    machine.now += 100
    assert budget.pause() == 0
    machine.work(0.02)
    assert budget.pause() == pytest.approx(1.98)
    assert budget.spent[PROCESSOR] == pytest.approx(0.04)


def test_the_meter_that_ran_most_makes_the_pause() -> None:
    machine = Machine()
    budget = machine.budget(10)
    machine.ask(budget, SOURCE, 0.3)
    machine.ask(budget, TARGET, 0.1)
    assert budget.pause() == pytest.approx(2.6)  # 0.3 s of the source, of which 0.1 s have passed since
    assert budget.total == pytest.approx(0.3)


def test_no_meter_gets_more_than_its_share_of_the_time() -> None:
    machine = Machine()
    budget = machine.budget(2)
    began = machine.now
    while machine.now < began + 600:
        machine.work(0.01)
        machine.ask(budget, SOURCE, 0.03)
        machine.ask(budget, TARGET, 0.02)
        machine.now += budget.pause()
    for meter in (PROCESSOR, SOURCE, TARGET):
        assert budget.spent[meter] <= 0.02 * (machine.now - began) * 1.001
    assert budget.spent[SOURCE] > 0.018 * (machine.now - began)


def test_a_whole_core_needs_no_pauses() -> None:
    machine = Machine()
    budget = machine.budget(100)
    machine.work(3)
    machine.ask(budget, SOURCE, 2)
    assert budget.pause() == 0
