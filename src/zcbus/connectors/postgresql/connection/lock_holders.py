"""Who holds locks on a table."""

from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import TableName

_HOLDERS = """
SELECT DISTINCT a.usename, coalesce(a.client_addr::text, 'local'), a.application_name, a.pid,
       to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')
FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'relation' AND l.granted AND l.mode <> 'AccessShareLock' AND l.pid <> pg_backend_pid()
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND n.nspname = %s AND c.relname = %s
ORDER BY 5 LIMIT 3
"""


def lock_holders(connection: Connection, name: TableName) -> str:
    """User, host, program, process and start time in UTC; empty: the lock was released. May raise psycopg.Error."""
    rows = connection.execute(_HOLDERS, (name.schema, name.table)).fetchall()
    return "; ".join(f"{user}@{host} {program} ({pid}), {since} UTC" for user, host, program, pid, since in rows)
