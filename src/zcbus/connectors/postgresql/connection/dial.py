"""Opening the socket of the protocol, with TLS if requested."""

import socket
import ssl
import struct

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.failures import NOT_TRUSTED, ConnectionLost, ServerError
from zcbus.kit.keepalive import enable_keepalive
from zcbus.kit.network import dial

_TLS_REQUEST = 80877103


def open_socket(options: ConnectionOptions, timeout: float) -> socket.socket:
    """A connected socket; every wait on it is limited to `timeout` seconds. Raises ConnectionLost, ServerError."""
    try:
        plain = dial(options.host, options.port, timeout, options.way)
    except (OSError, UnicodeError) as error:
        raise ConnectionLost(str(error)) from error
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        enable_keepalive(plain)
        return plain if options.tls == "disable" else _secure(plain, options)
    except ssl.SSLCertVerificationError as error:
        plain.close()
        raise ServerError({"C": NOT_TRUSTED, "M": str(error)}) from error
    except (OSError, ConnectionLost) as error:
        plain.close()
        raise ConnectionLost(str(error)) from error


def _secure(plain: socket.socket, options: ConnectionOptions) -> socket.socket:
    plain.sendall(struct.pack("!II", 8, _TLS_REQUEST))
    answer = plain.recv(1)
    if answer == b"S":
        context = ssl.create_default_context()
        if options.tls != "verify-full":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(plain, server_hostname=options.host)
    if options.tls != "prefer":
        plain.close()
        raise ServerError({"C": NOT_TRUSTED, "M": "the server does not offer TLS"})
    return plain
