"""The process that forks. It has one thread, for a fork takes along only the one that forks.

It ends when who asked has closed the socket; what it forked ends with it where that calls
`zcbus.kit.parent.die_with_parent`. It does not hear signals that ask a group of processes to end: the forked, which
have something to bring to an end, hear them as usual.
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

_ASKING_TO_END = (signal.SIGTERM, signal.SIGINT)


def load(modules: Iterable[str]) -> None:
    """Load what the forked share. No collection looks through it later, which would also copy its memory."""
    for name in modules:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> list[str] | None:
    """Fork on demand. Returns in each forked process, with its arguments; None in the server, once nobody asks more.

    A forked process leads a group of its own, has the standard streams that came with the request, and the variables of
    the request over those of the server. It takes no descriptor of the server's or of another along.
    """
    for number in _ASKING_TO_END:
        signal.signal(number, signal.SIG_IGN)
    return _Server(control).serve()


class _Server:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._children: dict[int, tuple[int, int]] = {}
        """Descriptor of a child → its process id, and where its end is told."""

    def serve(self) -> list[str] | None:
        while True:
            for key, _ in self._selector.select():
                if key.fd != self._control.fileno():
                    self._tell_end(key.fd)
                    continue
                asked = request.receive(self._control)
                if asked is None:
                    return None
                arguments, environment, descriptors = asked
                if self._fork(environment, descriptors):
                    return arguments

    def _fork(self, environment: dict[str, str], descriptors: list[int]) -> bool:
        """Whether this is the child."""
        *streams, told = descriptors
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            _tell(told, -(error.errno or 1))
            _close_all(descriptors)
            return False
        if pid:
            self._keep(pid, told)
            _close_all(streams)
            return False
        self._become(environment, parent, streams)
        _close_all(descriptors)
        return True

    def _keep(self, pid: int, told: int) -> None:
        # The child does the same: whoever comes first, nobody finds it without its group.
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        child = os.pidfd_open(pid)
        self._children[child] = pid, told
        self._selector.register(child, selectors.EVENT_READ)
        _tell(told, pid)

    def _become(self, environment: dict[str, str], parent: int, streams: list[int]) -> None:
        """Make this process the one that was asked for."""
        os.setpgid(0, 0)
        self._selector.close()
        self._control.close()
        for child, (_, told) in self._children.items():
            _close_all([child, told])
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
        for asking in _ASKING_TO_END:
            signal.signal(asking, signal.default_int_handler if asking == signal.SIGINT else signal.SIG_DFL)
        os.environ.update(environment)
        os.environ[PARENT_VARIABLE] = str(parent)

    def _tell_end(self, child: int) -> None:
        self._selector.unregister(child)
        pid, told = self._children.pop(child)
        _tell(told, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        _close_all([told, child])


def _tell(told: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(told, b"%d\n" % number)


def _close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
