"""Ordinary sessions, all with the settings that make the same value give the same text."""

from typing import Any

import psycopg

from zcbus.connectors import keepalive
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.errors import why_no_connection
from zcbus.connectors.postgresql.wire import SESSION_SETTINGS, startup_options
from zcbus.connectors.roles import Side

Connection = psycopg.Connection[tuple[Any, ...]]


def connect(options: ConnectionOptions, side: Side, *, autocommit: bool = True, timeout: int = 10) -> Connection:
    """A new session. Raises SourceUnavailable, TargetUnavailable or AccessDenied."""
    settings = dict(SESSION_SETTINGS)
    if side == "target":
        # Triggers of the target's owner may count on the usual search path; our own statements qualify every name.
        del settings["search_path"]
    try:
        return psycopg.connect(
            host=options.host,
            port=options.port,
            user=options.user,
            password=options.password,
            dbname=options.database,
            sslmode=options.tls,
            sslrootcert="system" if options.tls == "verify-full" else None,
            connect_timeout=timeout,
            client_encoding="UTF8",
            application_name="zcbus",
            options=startup_options(settings),
            keepalives_idle=keepalive.IDLE_SECONDS,
            keepalives_interval=keepalive.INTERVAL_SECONDS,
            keepalives_count=keepalive.PROBES,
            tcp_user_timeout=keepalive.UNANSWERED_MILLISECONDS,
            autocommit=autocommit,
        )
    except psycopg.Error as error:
        raise why_no_connection(options, side, error) from error
