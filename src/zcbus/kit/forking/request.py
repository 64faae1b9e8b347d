"""What a fork server is asked: one datagram with the words and variables of a process, and descriptors beside it.

The descriptors are, in this order, the process's standard input, output and error, and a pipe by which the server tells
of it, a line each: its process id (below zero: the number of the error why there is none), then its exit code (below
zero: the signal that ended it). A pipe that ends before means that the server ended, and the process with it.
"""

import errno
import json
import os
import socket
from collections.abc import Mapping, Sequence

DESCRIPTORS = 4
LARGEST = 1 << 17
"""Bytes of a request: less than what Linux lets a socket hold unless told otherwise."""


def send(
    control: socket.socket, arguments: Sequence[str], environment: Mapping[str, str], descriptors: Sequence[int]
) -> None:
    """Ask for a process; blocks while the server is behind. Raises OSError: the server is gone, or it is too much."""
    asked = json.dumps([list(arguments), dict(environment)]).encode()
    if len(asked) > LARGEST:
        raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
    socket.send_fds(control, [asked], descriptors)


def receive(control: socket.socket) -> tuple[list[str], dict[str, str], list[int]] | None:
    """The next request; None: who asked is gone."""
    asked, descriptors, _, _ = socket.recv_fds(control, LARGEST, DESCRIPTORS)
    if not asked:
        return None
    arguments, environment = json.loads(asked)
    return arguments, environment, descriptors
