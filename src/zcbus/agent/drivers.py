"""Drivers of this host that the control plane distributes: fetched, checked, kept, and deleted with their order.

A thread of its own does the work. Files that were lost or changed are fetched again; what fails is tried again after a
growing pause. The folder belongs to it: what no order names is deleted.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from zcbus.engine.requests.watch import RequestWithdrawn, Watch
from zcbus.kit.errors import TerminalError, ZcbusError
from zcbus.kit.files import sync_file
from zcbus.kit.logging import get_logger
from zcbus.kit.signatures import signer_of
from zcbus.protocol.base import Reason
from zcbus.protocol.drivers import Driver, DriverState
from zcbus.protocol.table_import import UploadedFile

_log = get_logger("agent.drivers")
_LOOK_SECONDS = 5.0
_REPORT_SECONDS = 60.0
_MAX_PAUSE = 300.0
_PIECE = 1 << 20
_FETCHED = ".fetched"


class DriverNotSigned(TerminalError):
    """The host demands signatures, and none of its keys made the driver's. Facts: name, folder."""

    code = "driver-not-signed"


class Download(Protocol):
    """See FileDownload."""

    def fetch(self, address: str, file: UploadedFile, to: Path, watch: Watch | None = None) -> None: ...


@dataclass(slots=True)
class _Failure:
    reason: Reason
    pause: float
    again_at: float


class KeptDrivers:
    """The folder of distributed drivers. Thread-safe; `close` ends a fetch under way."""

    def __init__(
        self, folder: Path, download: Download, keys: Path | None, on_change: Callable[[], None] = lambda: None
    ) -> None:
        """`keys`: folder of the public keys of which one must have signed each driver; None: none is needed.
        `on_change` is called in the thread when a state has changed."""
        self._folder, self._download, self._keys, self._on_change = folder, download, keys, on_change
        self._condition = threading.Condition()
        self._drivers: tuple[Driver, ...] | None = None
        self._checked: dict[str, tuple[str, int, int, int]] = {}
        """By file name: checksum, inode, time and size of a file whose content was compared."""
        self._failures: dict[str, _Failure] = {}
        self._states: tuple[DriverState, ...] | None = None
        self._reported: tuple[DriverState, ...] | None = None
        self._reported_at = 0.0
        self._watch = Watch()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="drivers", daemon=True)

    def order(self, drivers: Sequence[Driver]) -> None:
        """Keep exactly these from now on."""
        with self._condition:
            if self._is_closed or tuple(drivers) == self._drivers:
                return
            self._drivers = tuple(drivers)
            self._failures.clear()
            # A fetch of what is not ordered any more would delay the others.
            self._watch.withdraw()
            self._watch = Watch()
            if not self._thread.is_alive():
                self._thread.start()
            self._condition.notify()

    def report(self) -> tuple[DriverState, ...] | None:
        """States of all ordered drivers that have one; None: unchanged since the last report a moment ago."""
        now = time.monotonic()
        with self._condition:
            if self._states == self._reported and now - self._reported_at < _REPORT_SECONDS:
                return None
            self._reported, self._reported_at = self._states, now
            return self._states

    def report_again(self) -> None:
        """The last report did not arrive."""
        with self._condition:
            self._reported_at = float("-inf")

    def close(self) -> None:
        """End the thread, in the middle of a fetch too. Idempotent."""
        with self._condition:
            self._is_closed = True
            self._watch.withdraw()
            self._condition.notify()

    def _run(self) -> None:
        while True:
            with self._condition:
                if self._is_closed:
                    return
                drivers, watch = self._drivers or (), self._watch
            try:
                self._arrange(drivers, watch)
            except RequestWithdrawn:
                continue
            except OSError as error:
                _log.warning("drivers-folder-unusable", folder=str(self._folder), error=str(error))
            with self._condition:
                if not self._is_closed and self._watch is watch:
                    self._condition.wait(_LOOK_SECONDS)

    def _arrange(self, drivers: Sequence[Driver], watch: Watch) -> None:
        """Raises RequestWithdrawn, OSError."""
        if not drivers and not self._folder.is_dir():
            return self._note(())
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        names = {driver.name for driver in drivers}
        for path in self._folder.iterdir():
            if path.name not in names and not path.is_dir():
                path.unlink()
        states = []
        for driver in drivers:
            state = self._state_of(driver, watch)
            states.append(state)
            self._note((*states, *self._known_of(drivers[len(states) :])))
        self._note(tuple(states))
        return None

    def _known_of(self, drivers: Sequence[Driver]) -> list[DriverState]:
        """As last reported, of drivers that were not checked yet."""
        known = {state.id: state for state in self._states or ()}
        return [known[driver.id] for driver in drivers if driver.id in known]

    def _note(self, states: tuple[DriverState, ...]) -> None:
        with self._condition:
            has_changed, self._states = states != self._states, states
        if has_changed:
            self._on_change()

    def _state_of(self, driver: Driver, watch: Watch) -> DriverState:
        failure = self._failures.get(driver.id)
        if failure is not None and time.monotonic() < failure.again_at:
            return DriverState(id=driver.id, state="failed", reason=failure.reason)
        try:
            self._keep(driver, watch)
        except RequestWithdrawn:
            raise
        except ZcbusError as error:
            return self._failed(driver, error.code, {name: str(value) for name, value in error.facts.items()})
        except OSError as error:
            facts = {"file": str(self._folder / driver.name), "detail": error.strerror or str(error)}
            return self._failed(driver, "driver-not-written", facts)
        self._failures.pop(driver.id, None)
        return DriverState(id=driver.id, state="present")

    def _failed(self, driver: Driver, code: str, facts: dict[str, str]) -> DriverState:
        before = self._failures.get(driver.id)
        pause = min(2 * before.pause, _MAX_PAUSE) if before is not None else _LOOK_SECONDS
        reason = Reason(code=code, facts=facts)
        self._failures[driver.id] = _Failure(reason, pause, time.monotonic() + pause)
        _log.warning("driver-failed", driver=driver.name, code=code, **facts)
        return DriverState(id=driver.id, state="failed", reason=reason)

    def _keep(self, driver: Driver, watch: Watch) -> None:
        """Have the driver in the folder. Raises FileNotReceived, DriverNotSigned, RequestWithdrawn, OSError."""
        path = self._folder / driver.name
        if self._is_whole(path, driver):
            return
        fetched = self._folder / f".{driver.name}{_FETCHED}"
        file = UploadedFile(id=driver.id, size=driver.size, sha256=driver.sha256)
        try:
            self._download.fetch("/api/zcbus/agent/driver/file", file, fetched, watch)
            self._check_signature(fetched, driver)
            fetched.chmod(0o644)
            sync_file(fetched)
            fetched.replace(path)
            sync_file(self._folder)
        finally:
            fetched.unlink(missing_ok=True)
        self._remember(path, driver)
        _log.info("driver-kept", driver=driver.name, sha256=driver.sha256)

    def _is_whole(self, path: Path, driver: Driver) -> bool:
        """Whether the file is there with its content, which is read again only when the file has changed."""
        try:
            found = path.stat()
        except FileNotFoundError:
            return False
        if self._checked.get(path.name) == (driver.sha256, found.st_ino, found.st_mtime_ns, found.st_size):
            return True
        if found.st_size != driver.size or _digest(path) != driver.sha256:
            return False
        self._check_signature(path, driver)
        self._remember(path, driver)
        return True

    def _remember(self, path: Path, driver: Driver) -> None:
        found = path.stat()
        self._checked[path.name] = (driver.sha256, found.st_ino, found.st_mtime_ns, found.st_size)

    def _check_signature(self, path: Path, driver: Driver) -> None:
        if self._keys is not None and not signer_of(path, driver.signature, self._keys):
            path.unlink(missing_ok=True)
            raise DriverNotSigned(name=driver.name, folder=self._keys)


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()
