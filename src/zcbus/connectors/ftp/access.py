"""From options to a store."""

from zcbus.connectors.ftp.spec import FtpOptions
from zcbus.connectors.stores.ftp import FtpAccess, FtpStore

_SECONDS = 60.0


def access_of(options: FtpOptions) -> FtpAccess:
    """How to sign in."""
    return FtpAccess(
        kind=options.kind,
        host=options.host,
        port=options.port,
        user=options.user,
        password=options.password,
        tls=options.tls,
        implicit=options.implicit,
        names=options.names,
        way=options.way,
    )


def store_of(options: FtpOptions, seconds: float = _SECONDS) -> FtpStore:
    """The folder. `seconds`: how long the server may say nothing."""
    return FtpStore(access_of(options), options.folder, growing=options.growing, seconds=seconds)
