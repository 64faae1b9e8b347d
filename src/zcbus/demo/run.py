"""`zcbus demo run`: the demo's server, its shop under constant change, and the link between them."""

import random
import shutil
import threading
from contextlib import closing

import psycopg
from psycopg import sql

from zcbus.demo.embedded import EmbeddedPostgreSQL
from zcbus.demo.files import DemoFiles
from zcbus.demo.platform_link import LINK, SOURCE_DATABASE, TARGET_DATABASE, Api, link_document
from zcbus.demo.shop import CREATE, one_moment, seed
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.kit.retry import growing_pauses

_log = get_logger("demo")
_USER = "postgres"
_MOMENTS_PER_SECOND = 20


class Demo:
    """One demo, run in one thread until `stop` is set."""

    def __init__(self, files: DemoFiles, api: Api, stop: threading.Event) -> None:
        self._files = files
        self._api = api
        self._stop = stop
        self._server = self._new_server()

    def run(self) -> None:
        """Start the server, create missing parts, and run the shop until `stop`."""
        try:
            self._open()
            while not self._stop.is_set():
                self._sell()
                if self._files.reset_request.exists():
                    self._reset()
        finally:
            self._server.stop()

    def _new_server(self) -> EmbeddedPostgreSQL:
        return EmbeddedPostgreSQL(
            self._files.postgres,
            port=self._files.port(),
            user=_USER,
            password=self._files.password(),
            settings={"shared_buffers": "64MB", "max_wal_size": "256MB", "max_slot_wal_keep_size": "2GB"},
        )

    def _open(self) -> None:
        self._server.start()
        self._files.keep_port(self._server.port)
        self._make_databases()
        self._make_link()

    def _make_databases(self) -> None:
        with closing(self._connect("postgres")) as connection:
            rows = connection.execute("SELECT datname FROM pg_database").fetchall()
            present = {row[0] for row in rows}
            for name in {SOURCE_DATABASE, TARGET_DATABASE} - present:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with closing(self._connect(SOURCE_DATABASE)) as connection:
            if connection.execute("SELECT to_regclass('public.payments')").fetchone() == (None,):
                with connection.transaction():
                    connection.execute(CREATE)
                    seed(connection)

    def _make_link(self) -> None:
        """Create the link by the API; retried until control plane and agent answer."""
        if self._files.linked.exists():
            return
        document = link_document(self._server.port, _USER, self._files.password())
        for pause in growing_pauses(0.5, limit=5.0):
            try:
                self._api.call("sync/link/apply", {"document": document})
                self._files.linked.touch()
                return
            except Exception as error:  # noqa: BLE001  every cause may be temporary
                _log.warning("demo-link-not-made", detail=str(error))
            if self._stop.wait(pause):
                return

    def _sell(self) -> None:
        """Run the shop until `stop` or a reset; a lost connection is reopened."""
        chance = random.Random()  # noqa: S311  sample data
        try:
            with closing(self._connect(SOURCE_DATABASE)) as connection:
                connection.autocommit = False
                while not self._files.reset_request.exists():
                    one_moment(connection, chance)
                    if self._stop.wait(1 / _MOMENTS_PER_SECOND):
                        return
        except psycopg.Error as error:
            _log.warning("demo-writer-interrupted", detail=type(error).__name__)
            self._stop.wait(1)

    def _reset(self) -> None:
        """Recreate link, databases and rows."""
        try:
            self._api.call("sync/link/delete", {"name": LINK})
        except Exception as error:  # noqa: BLE001  the link may be missing
            _log.info("demo-link-not-deleted", detail=str(error))
        self._server.stop("immediate")
        shutil.rmtree(self._files.postgres, ignore_errors=True)
        self._files.linked.unlink(missing_ok=True)
        self._server = self._new_server()
        self._open()
        self._files.reset_request.unlink(missing_ok=True)

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            host="127.0.0.1",
            port=self._server.port,
            user=_USER,
            password=self._files.password(),
            dbname=database,
            autocommit=True,
        )


def run_demo(files: DemoFiles, api: Api, stop: threading.Event) -> int:
    """Run the demo until `stop` is set. Returns the exit code."""
    try:
        Demo(files, api, stop).run()
    except ZcbusError as error:
        _log.error("demo-failed", code=error.code, **error.facts)
        return 1
    return 0
