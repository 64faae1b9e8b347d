"""Runs the features' periodic actions."""

import threading
from collections.abc import Sequence

from zcbus.control.platform.feature import Periodic
from zcbus.control.platform.services import Services
from zcbus.kit.logging import get_logger

_log = get_logger("control.background")

_STOP_SECONDS = 5.0


class Background:
    """One thread per periodic action."""

    def __init__(self, services: Services, actions: Sequence[Periodic]) -> None:
        self._services = services
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(action,), name=f"periodic-{action.name}", daemon=True)
            for action in actions
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ask every action to end and wait for those under way, five seconds at most."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(_STOP_SECONDS)

    def _run(self, action: Periodic) -> None:
        while not self._stopping.is_set():
            try:
                action.action(self._services)
            except Exception as error:  # noqa: BLE001  one failed turn must not end the ones to come
                _log.error("periodic action failed", action=action.name, exc_info=error)
            self._stopping.wait(action.seconds)
