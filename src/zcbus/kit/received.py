"""How much came over a connection whose bytes a library keeps to itself."""

import socket
import struct

_BYTES_RECEIVED = 128
"""Offset of `tcpi_bytes_received` in Linux's `struct tcp_info`, whose layout only ever grows at its end."""
_SIZE = _BYTES_RECEIVED + 8


def received(descriptor: int) -> int:
    """Bytes received since the connection was made, as the system counts them; always 0 where it does not."""
    borrowed = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, descriptor)
    try:
        info = borrowed.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SIZE)
    except (AttributeError, OSError):
        return 0
    finally:
        borrowed.detach()
    return int(struct.unpack_from("=Q", info, _BYTES_RECEIVED)[0]) if len(info) >= _SIZE else 0
