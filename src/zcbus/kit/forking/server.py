"""The fork server process.

It has one thread, because a fork copies only the calling thread. It ends when the client closes the socket. Its forks
end with it if they call `zcbus.kit.parent.die_with_parent`. It ignores signals that request a process group to end:
the forks handle them, because they have work to finish.
"""

import contextlib
import gc
import importlib
import os
import selectors
import signal
import socket
from collections.abc import Iterable

from zcbus.kit.forking import request
from zcbus.kit.parent import PARENT_VARIABLE

_TERMINATION_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def load(modules: Iterable[str]) -> None:
    """Load the modules that the forks share.

    They are frozen: a later collection would copy their memory.
    """
    for name in modules:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> list[str] | None:
    """Serve requests.

    Returns in each fork with its arguments, and None in the server after the client left.

    A fork leads a process group of its own. It has the standard streams of the request, and the variables of the
    request over those of the server. It inherits no other descriptor.
    """
    for number in _TERMINATION_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    return _Server(control).serve()


class _Server:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._children: dict[int, tuple[int, int]] = {}
        """pidfd of a child → its process id and its status pipe."""

    def serve(self) -> list[str] | None:
        while True:
            for key, _ in self._selector.select():
                if key.fd != self._control.fileno():
                    self._report_end(key.fd)
                    continue
                received = request.receive(self._control)
                if received is None:
                    return None
                arguments, environment, descriptors = received
                if self._fork(environment, descriptors):
                    return arguments

    def _fork(self, environment: dict[str, str], descriptors: list[int]) -> bool:
        """Fork; returns whether this is the child."""
        *streams, status = descriptors
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            _report(status, -(error.errno or 1))
            _close_all(descriptors)
            return False
        if pid:
            self._register(pid, status)
            _close_all(streams)
            return False
        self._set_up_child(environment, parent, streams)
        _close_all(descriptors)
        return True

    def _register(self, pid: int, status: int) -> None:
        # The child does the same: the group exists whichever of both runs first.
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        child = os.pidfd_open(pid)
        self._children[child] = pid, status
        self._selector.register(child, selectors.EVENT_READ)
        _report(status, pid)

    def _set_up_child(self, environment: dict[str, str], parent: int, streams: list[int]) -> None:
        """Turn this fork into the requested process."""
        os.setpgid(0, 0)
        self._selector.close()
        self._control.close()
        for child, (_, status) in self._children.items():
            _close_all([child, status])
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
        for number in _TERMINATION_SIGNALS:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        os.environ.update(environment)
        os.environ[PARENT_VARIABLE] = str(parent)

    def _report_end(self, child: int) -> None:
        self._selector.unregister(child)
        pid, status = self._children.pop(child)
        _report(status, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        _close_all([status, child])


def _report(status: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(status, b"%d\n" % number)


def _close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
