"""A TCP proxy inside the test that makes the network misbehave."""

import contextlib
import random
import socket
import struct
import threading
import time
from collections.abc import Callable

_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of zero seconds: closing sends RST."""


class _Pair:
    """One client's connection and its other half."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.lost = False
        """Nothing arrives any more, in either direction, and neither side is notified."""
        self.mutes = False
        """Nothing that the client sends arrives any more."""
        self.remaining: int | None = None
        """Bytes that may still pass before the connection is reset; None: any number."""

    def reset(self) -> None:
        for side in (self.client, self.server):
            with contextlib.suppress(OSError):
                side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                side.shutdown(socket.SHUT_RDWR)
            side.close()


class Proxy:
    """Passes connections of `port` on to a server of this machine. Faults hit the connections that are open when they
    are asked for; later ones work."""

    def __init__(self, target_port: int, keeps: bool = False) -> None:
        self._target_port, self._keeps = target_port, keeps
        self.said: list[bytearray] = []
        """Everything that each client sent, also one that is gone; only where the proxy `keeps` it."""
        self._pairs: set[_Pair] = set()
        self._lock = threading.Lock()
        self.delay = 0.0
        """Seconds by which everything arrives later."""
        self.refuses = False
        """New connections are reset at once."""
        self.silent = False
        """Nothing passes on new connections, as after `lose_all` on those that are open."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def reset_all(self) -> int:
        """RST to both sides of every connection; returns how many there were."""
        return self._each(lambda pair: pair.reset())

    def lose_all(self) -> int:
        """From now on nothing passes and nothing is said (a firewall that forgot the connection)."""
        return self._each(lambda pair: setattr(pair, "lost", True))

    def mute_all(self) -> int:
        """From now on nothing arrives that these clients send; they receive what servers send."""
        return self._each(lambda pair: setattr(pair, "mutes", True))

    def cut_all(self, chance: random.Random) -> int:
        """Let some more bytes pass, then reset: a packet arrives in half."""
        return self._each(lambda pair: setattr(pair, "remaining", chance.randrange(1, 4000)))

    def close(self) -> None:
        """Nothing stays open."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.reset_all()

    def _each(self, do: Callable[[_Pair], None]) -> int:
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            do(pair)
        return len(pairs)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            if self.refuses:
                raise ConnectionRefusedError
            server = socket.create_connection(("127.0.0.1", self._target_port))
        except OSError:
            client.close()
            return
        for side in (client, server):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pair = _Pair(client, server)
        pair.lost = self.silent
        with self._lock:
            self._pairs.add(pair)
        back = threading.Thread(target=self._pump, args=(pair, server, client), daemon=True)
        back.start()
        said = bytearray()
        if self._keeps:
            self.said.append(said)
        self._pump(pair, client, server, said.extend if self._keeps else None)
        back.join()
        with self._lock:
            self._pairs.discard(pair)
        pair.reset()

    def _pump(
        self,
        pair: _Pair,
        source: socket.socket,
        sink: socket.socket,
        keep: Callable[[bytes], None] | None = None,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                if keep is not None:
                    keep(data)
                if self.delay:
                    time.sleep(self.delay)
                if pair.lost or (pair.mutes and source is pair.client):
                    continue
                if pair.remaining is not None and len(data) >= pair.remaining:
                    sink.sendall(data[: pair.remaining])
                    break
                if pair.remaining is not None:
                    pair.remaining -= len(data)
                sink.sendall(data)
        if not pair.lost:
            pair.reset()
