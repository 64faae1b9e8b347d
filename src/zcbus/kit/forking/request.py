"""Requests to a fork server: one datagram with arguments, variables and descriptors.

The descriptors are, in this order, standard input, output and error of the process, and a status pipe. The server
writes two lines to the pipe: first the process id (negative: the errno of a failed fork), then the exit code
(negative: the signal that ended the process). If the pipe ends earlier, the server has ended and the process with it.
"""

import errno
import json
import os
import socket
from collections.abc import Mapping, Sequence

DESCRIPTORS = 4
LARGEST = 1 << 17
"""Largest request in bytes: less than a socket's default limit in Linux."""


def send(
    control: socket.socket, arguments: Sequence[str], environment: Mapping[str, str], descriptors: Sequence[int]
) -> None:
    """Send a request; blocks while the server is busy.

    Raises OSError if the server is gone or the request is too large.
    """
    payload = json.dumps([list(arguments), dict(environment)]).encode()
    if len(payload) > LARGEST:
        raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
    socket.send_fds(control, [payload], descriptors)


def receive(control: socket.socket) -> tuple[list[str], dict[str, str], list[int]] | None:
    """The next request; None if the client is gone."""
    payload, descriptors, _, _ = socket.recv_fds(control, LARGEST, DESCRIPTORS)
    if not payload:
        return None
    arguments, environment = json.loads(payload)
    return arguments, environment, descriptors
