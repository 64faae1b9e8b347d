"""Database servers in Java from Maven, each with the driver that connections name."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, cast

from tests.servers.base import Server
from tests.servers.maven import ServerNotAvailable, archive_of
from tests.support.processes import die_with_parent
from zcbus.connectors.jdbc import jvm
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.registry import connector, spec_of

_JAVA = ("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_SECONDS = 60.0
_NAMED = re.compile(r"([^:]+):(.*)@([^@:/]+):(\d+)/(.+)")
_WORDS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\b[a-z_][a-z0-9_]*\b")


class DriversFolder:
    """The folder for drivers of this process; workers that it starts inherit it."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="zcbus-drivers-")
        self._before = os.environ.get("ZCBUS_DRIVERS_DIR")
        os.environ["ZCBUS_DRIVERS_DIR"] = self._made.name
        self.folder = Path(self._made.name)

    def add(self, name: str, files: Sequence[Path]) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for file in files:
            if not (folder / file.name).exists():
                shutil.copy(file, folder)

    def remove(self) -> None:
        if self._before is None:
            os.environ.pop("ZCBUS_DRIVERS_DIR")
        else:
            os.environ["ZCBUS_DRIVERS_DIR"] = self._before
        self._made.cleanup()


class JavaServer(Server):
    """A server of one kind. Its suites' statements have names in lower case, which are quoted here: unquoted names are
    those in upper case. Raises ServerNotAvailable."""

    artifacts: ClassVar[Sequence[str]]
    driver: ClassVar[str]
    user = ""
    password = ""

    def __init__(self, drivers: DriversFolder) -> None:
        if shutil.which("java") is None:
            raise ServerNotAvailable("java is not installed (Debian package default-jre-headless)")
        self._jars = [archive_of(f"{artifact}:jar") for artifact in self.artifacts]
        drivers.add(self.kind, self._jars)
        self._folder = Path(tempfile.mkdtemp(prefix=f"zcbus-{self.kind}-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        self.start()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def default_database(self) -> str:
        return "first"

    def options(self, database: str | None = None) -> Any:
        return spec_of(self.kind).model(  # type: ignore[call-arg]
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password,
            database=database or self.default_database,
        )

    @abstractmethod
    def _command(self) -> Sequence[str]:
        """Behind `java -cp …`."""

    @abstractmethod
    def _url(self, database: str, *, create: bool = False) -> str:
        """For the driver."""

    @contextlib.contextmanager
    def connect(self, database: str | None = None, *, create: bool = False) -> Iterator["_Connection"]:
        driver = jvm.driver(self.driver, self._jars)
        made = jvm.properties({"user": self.user, "password": self.password})
        connection = driver.connect(self._url(database or self.default_database, create=create), made)
        try:
            yield _Connection(connection)
        finally:
            if not connection.isClosed():
                if not connection.getAutoCommit():
                    connection.rollback()
                connection.close()

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        with self.connect(database) as connection:
            for statement in _statements(sql):
                connection.execute(statement)

    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.connect(database) as connection:
            return connection.execute(sql).fetchall()

    def create_database(self, name: str) -> None:
        with self.connect(name, create=True):
            pass

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["java", *_JAVA, "-cp", ":".join(map(str, self._jars)), *self._command()],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=die_with_parent,
            )
        deadline = time.monotonic() + _SECONDS
        while True:
            try:
                return self.create_database(self.default_database)
            except jvm.JavaError as error:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise ServerNotAvailable(f"{self.kind}: {error}") from error
                time.sleep(0.1)

    def stop(self) -> None:
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        self._end(subprocess.Popen.kill)

    def _end(self, how: Any) -> None:
        if self._process is not None:
            how(self._process)
            self._process.wait(_SECONDS)
            self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)


class H2Server(JavaServer):
    """H2."""

    kind = "h2"
    artifacts = ("com.h2database:h2:2.3.232",)
    driver = "org.h2.Driver"
    user, password = "sa", "admin-secret"

    def _command(self) -> Sequence[str]:
        flags = ("-tcp", "-tcpPort", str(self.port), "-ifNotExists", "-baseDir", str(self._folder))
        return ("org.h2.tools.Server", *flags)

    def _url(self, database: str, *, create: bool = False) -> str:
        return f"jdbc:h2:tcp://{self.host}:{self.port}/{database}"

    def drop_database(self, name: str) -> None:
        self.execute("DROP ALL OBJECTS", name)


class HsqldbServer(JavaServer):
    """HSQLDB, which opens databases that connections ask for."""

    kind = "hsqldb"
    artifacts = ("org.hsqldb:hsqldb:2.7.4",)
    driver = "org.hsqldb.jdbc.JDBCDriver"
    user, password = "SA", ""

    def _command(self) -> Sequence[str]:
        return ("org.hsqldb.server.Server", "--port", str(self.port), "--remote_open", "true", "--silent", "true")

    def _url(self, database: str, *, create: bool = False) -> str:
        path = f";filepath=file:{self._folder}/{database}" if create else ""
        return f"jdbc:hsqldb:hsql://{self.host}:{self.port}/{database}{path}"

    def create_database(self, name: str) -> None:
        with self.connect(name, create=True) as connection:
            connection.execute("SET FILES WRITE DELAY FALSE")

    def drop_database(self, name: str) -> None:
        # A server has ten databases at most.
        with contextlib.suppress(jvm.JavaError):  # the connection ends without an answer
            self.execute("SHUTDOWN", name)


class DerbyServer(JavaServer):
    """Apache Derby, whose drivers since 10.15 come in parts."""

    kind = "derby"
    artifacts = tuple(
        f"org.apache.derby:{part}:10.16.1.1"
        for part in ("derby", "derbyclient", "derbynet", "derbyshared", "derbytools")
    )
    driver = "org.apache.derby.client.ClientAutoloadedDriver"
    user, password = "app", "admin-secret"

    def _command(self) -> Sequence[str]:
        return (
            f"-Dderby.system.home={self._folder}",
            "-Dderby.connection.requireAuthentication=true",
            "-Dderby.authentication.provider=BUILTIN",
            f"-Dderby.user.{self.user}={self.password}",
            "-Dderby.locks.waitTimeout=1",
            "org.apache.derby.drda.NetworkServerControl",
            "start",
            "-p",
            str(self.port),
            "-noSecurityManager",
        )

    def _url(self, database: str, *, create: bool = False) -> str:
        return f"jdbc:derby://{self.host}:{self.port}/{database}{';create=true' if create else ''}"

    def drop_database(self, name: str) -> None:
        """Its files go with the server's."""


class NamedServer(JavaServer):
    """A server that an operator runs, where `ZCBUS_TEST_<KIND>=user:password@host:port/database` names it; its driver
    is in the folder that ZCBUS_TEST_DRIVERS names. The user may create tables in the schema of the suite, which drops
    them. Raises ServerNotAvailable."""

    artifacts = ()
    spellings: ClassVar[Mapping[str, str]] = {}
    """Words of the suite's statements → words of this database."""
    owner: ClassVar[str] = ""
    """Schema of the suite's tables; empty: the user's own, in upper case."""

    def __init__(self, drivers: DriversFolder) -> None:
        variable = f"ZCBUS_TEST_{self.kind.upper()}"
        named = _NAMED.fullmatch(os.environ.get(variable, ""))
        if named is None:
            raise ServerNotAvailable(f"preview: {variable}=user:password@host:port/database names no server")
        self.user, self.password, self.host, port, self.database = named.groups()
        self.port, self.dialect = int(port), cast("JdbcConnector", connector(self.kind)).dialect
        folder = Path(os.environ.get("ZCBUS_TEST_DRIVERS", "drivers"))
        self._jars = [path for path in folder.glob("*.jar") if path.name.lower().startswith(self.dialect.jar_names)]
        if not self._jars:
            raise ServerNotAvailable(f"{folder} (ZCBUS_TEST_DRIVERS) has no driver of {self.dialect.name}")
        self.driver, _ = jvm.first_driver((self.dialect.driver, *self.dialect.others), self._jars)  # type: ignore[misc]
        drivers.add(self.kind, self._jars)
        self._made: set[str] = set()

    @property
    def pid(self) -> int | None:
        return None

    @property
    def schema(self) -> str:
        return self.owner or self.user.upper()

    @property
    def default_database(self) -> str:
        return self.database

    def fresh_database(self, prefix: str = "test") -> str:
        self.drop_database(self.database)
        return self.database

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        for word, spelling in self.spellings.items():
            sql = sql.replace(word, spelling)
        self._made |= set(re.findall(r"CREATE TABLE (\w+)", sql))
        super().execute(sql, database, params)

    def drop_database(self, name: str) -> None:
        for table in self._made:
            super().execute(f"DROP TABLE {table}", name)
        self._made.clear()

    def create_database(self, name: str) -> None:
        """It is there."""

    def start(self) -> None:
        """It runs."""

    def kill(self) -> None:
        """It is not ours."""

    def remove(self) -> None:
        self.drop_database(self.database)

    def _command(self) -> Sequence[str]:
        return ()

    def _url(self, database: str, *, create: bool = False) -> str:
        form = self.dialect.others.get(self.driver, self.dialect.url)
        return form.format(host=self.host, address=self.host, port=self.port, database=database)


class SqlServer(NamedServer):
    """SQL Server."""

    kind = "sqlserver"
    owner = "dbo"
    spellings: ClassVar[Mapping[str, str]] = {"VARCHAR": "NVARCHAR", ", '": ", N'", "= '": "= N'"}

    def options(self, database: str | None = None) -> Any:
        return replace(super().options(database), tls="require")

    def _url(self, database: str, *, create: bool = False) -> str:
        return super()._url(database) + ";encrypt=true;trustServerCertificate=true"


class OracleServer(NamedServer):
    """Oracle 23 or later: earlier ones insert one row a statement."""

    kind = "oracle"
    spellings: ClassVar[Mapping[str, str]] = {"BIGINT": "NUMBER(19)", "VARCHAR": "VARCHAR2"}


class KingbaseServer(NamedServer):
    """KingbaseES."""

    kind = "kingbase"
    owner = "public"


class GaussDBServer(NamedServer):
    """GaussDB or openGauss."""

    kind = "gaussdb"
    owner = "public"


class Db2Server(NamedServer):
    """Db2."""

    kind = "db2"


class DamengServer(NamedServer):
    """DM."""

    kind = "dameng"


class _Connection:
    """A connection in autocommit mode that is its own cursor."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._found: list[tuple[Any, ...]] = []

    def cursor(self) -> "_Connection":
        return self

    def execute(self, sql: str) -> "_Connection":
        if sql in ("BEGIN", "COMMIT"):
            self._connection.setAutoCommit(sql == "COMMIT")
            return self
        statement = self._connection.createStatement()
        self._found = []
        if statement.execute(quoted(sql)):
            found = statement.getResultSet()
            width = int(found.getMetaData().getColumnCount())
            while found.next():
                self._found.append(tuple(_plain(found.getObject(number + 1)) for number in range(width)))
        statement.close()
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._found


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "getSubString"):  # a text without a limit, while its connection is open
        return str(value.getSubString(1, int(value.length())))
    name = value.getClass().getName() if hasattr(value, "getClass") else ""
    if name in ("java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte"):
        return int(value)
    return str(value)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def quoted(sql: str) -> str:
    """The statement with its names quoted."""
    return _WORDS.sub(lambda match: match[0] if match[0][0] in "'\"" else f'"{match[0]}"', sql)


def _statements(sql: str) -> list[str]:
    return [one for one in sql.split(";") if one.strip()] if "'" not in sql else [sql]
