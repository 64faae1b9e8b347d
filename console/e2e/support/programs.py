"""Starts programs for the browser tests without the seconds that each takes to load its libraries.

`python -m console.e2e.support.programs SOCKET` loads them once per run, listens on a Unix socket and ends with its
standard input. A connection asks with one JSON line, `{"arguments": ["zcbus" | "store", …], "environment": {…}}`. It
gets the program's output and a last line, `exit CODE`. When its sending side closes, the program is asked to end.

That the program also loads by itself is proven wherever the tests in Python start it.
"""

import contextlib
import json
import os
import signal
import socket
import socketserver
import sys
import threading
from typing import IO

from tests.support import forked

_COMMAND = (sys.executable, "-m", "console.e2e.support.fork_server")
_LATER_SECONDS = 10
"""Those to which a program passed on its output may still have it open when it has ended."""


class _Request(socketserver.StreamRequestHandler):
    """One program."""

    _has_ended = False

    def handle(self) -> None:
        request = json.loads(self.rfile.readline())
        process = forked.start(request["arguments"], request["environment"], command=_COMMAND)
        asking = threading.Thread(target=self._end_with_the_connection, args=(process,), daemon=True)
        asking.start()
        output = threading.Thread(target=self._pass_on, args=(process.stdout,), daemon=True)
        output.start()
        code = process.wait()
        self._has_ended = True
        output.join(_LATER_SECONDS)
        self._answer(b"exit %d\n" % code)
        # A file that another thread reads cannot be closed.
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        asking.join()

    def _pass_on(self, output: IO[bytes]) -> None:
        for line in output:
            self._answer(line)

    def _answer(self, line: bytes) -> None:
        with contextlib.suppress(OSError):  # who asked has left; the program is ending
            self.wfile.write(line)

    def _end_with_the_connection(self, process: forked.ForkedProcess) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.rfile.read()
        if not self._has_ended:
            os.kill(process.pid, signal.SIGTERM)


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 50


def main() -> None:
    with _Server(sys.argv[1], _Request) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        # Its process begins once everything is loaded.
        forked.start(["zcbus", "--version"], {}, command=_COMMAND).wait()
        print("ready", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
