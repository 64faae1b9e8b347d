"""Folders behind FTP and FTPS (RFC 959, 2228, 2428, 3659, 4217)."""

from zcbus.connectors.stores.ftp.connection import FtpAccess, FtpConnection
from zcbus.connectors.stores.ftp.store import FtpStore

__all__ = ["FtpAccess", "FtpConnection", "FtpStore"]
