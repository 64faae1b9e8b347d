"""A PostgreSQL database that goes back to how it was prepared, in a tenth of the time that a copy of it takes."""

from collections.abc import Callable
from dataclasses import dataclass

import psycopg
from psycopg import sql

from tests.servers.postgresql import PostgreSQLServer

# Foreign keys and triggers rest meanwhile: rows come and go in any order.
_RESTORE = """
DO $$
DECLARE name text; position record;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DELETE FROM public.%1$I', name);
    IF to_regclass(format('prepared.%1$I', name)) IS NOT NULL THEN
      EXECUTE format('INSERT INTO public.%1$I SELECT * FROM prepared.%1$I', name);
    END IF;
  END LOOP;
  FOR position IN SELECT * FROM prepared."sequences of public" LOOP
    PERFORM setval(position.sequence::regclass, coalesce(position.reached, 1), position.reached IS NOT NULL);
  END LOOP;
END $$
"""


@dataclass(frozen=True)
class RestoredDatabase:
    """One database of a server; its tables lie in `public`, what they held at first in `prepared`."""

    server: PostgreSQLServer
    name: str

    @staticmethod
    def prepared(server: PostgreSQLServer, name: str, prepare: Callable[[], None]) -> "RestoredDatabase":
        """Keep what the database `name` holds once `prepare` has been called."""
        prepare()
        with server.connect(name) as connection:
            _keep(connection)
        return RestoredDatabase(server, name)

    def restore(self) -> None:
        """Take back every change of rows. Structure is left as it is, and connected sessions are ended."""
        with self.server.connect(self.name) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                [self.name],
            )
            connection.execute(_RESTORE)


def _keep(connection: psycopg.Connection) -> None:
    connection.execute("CREATE SCHEMA prepared")
    connection.execute(
        "CREATE TABLE prepared.\"sequences of public\" AS SELECT format('public.%I', sequencename) AS sequence,"
        " last_value AS reached FROM pg_sequences WHERE schemaname = 'public'"
    )
    for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
        name = sql.Identifier(table)
        if connection.execute(sql.SQL("SELECT FROM public.{} LIMIT 1").format(name)).fetchone() is not None:
            connection.execute(sql.SQL("CREATE TABLE prepared.{0} AS TABLE public.{0}").format(name))
