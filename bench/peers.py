"""Peers that are Python programs of others: kept out of the product, in an environment of their own.

It is made below bench/results when it is first needed. Where that is not possible, or there is no Java 17 for Debezium,
the reason is printed and their cases are left out.
"""

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

from tests.servers.base import Server

from bench.databases import SOURCE, TARGET
from bench.report import LATEST
from bench.timing import Measure

_HERE = Path(__file__).parent
_FOLDER = LATEST.parent / "peers"
_SECONDS = 900
_COMPARED = "customer_id,quantity,price,status,email,note,created_at,ship_date,active,score"


def mysql_replication(server: Server, file: str, offset: int, changes: int) -> dict[str, Measure]:
    """Reads the binlog event by event into Python objects. Empty where it is not to be had."""
    if _python() is None:
        return {}
    settings = {**_address(server), "file": file, "offset": offset, "changes": changes}
    return {"mysql-replication": lambda: _run("peer_mysql_replication.py", settings)}


def debezium(server: Server, slots: list[str], publication: str, changes: int) -> dict[str, Measure]:
    """Debezium's engine with a consumer that does nothing; each round uses up a slot."""
    if _python() is None or not _has_java():
        return {}

    def measure() -> float:
        properties = {"plugin.name": "pgoutput", "slot.name": slots.pop(), "publication.name": publication}
        properties |= {"publication.autocreate.mode": "disabled", "table.include.list": "public.orders"}
        return _debezium(server, "postgresql.PostgresConnector", {**properties, "database.dbname": SOURCE}, changes)

    return {"Debezium": measure}


def reladiff(source: Server, target: Server, differ: int) -> dict[str, Measure]:
    """Compares by sums over ranges of the key. What it finds is not the same for every pair: it is printed."""
    if _python() is None:
        return {}
    addresses = [_url(source, SOURCE), _url(target, TARGET)]

    def measure() -> float:
        answer = _answer("peer_reladiff.py", {"addresses": addresses, "columns": _COMPARED.split(",")})
        if answer["rows"] != differ:
            print(f"reladiff finds {answer['rows']:.0f} rows that differ, {differ} do", file=sys.stderr)
        return answer["seconds"]

    return {"reladiff": measure}


def _url(server: Server, database: str) -> str:
    return f"{server.kind}://{server.user}:{quote(server.password)}@{server.host}:{server.port}/{database}"


def _debezium(server: Server, connector: str, properties: Mapping[str, str], changes: int) -> float:
    common = {
        "name": "engine",
        "connector.class": f"io.debezium.connector.{connector}",
        "offset.storage": "org.apache.kafka.connect.storage.MemoryOffsetBackingStore",
        "offset.flush.interval.ms": "10000",
        "database.hostname": server.host,
        "database.port": str(server.port),
        "database.user": server.user,
        "database.password": server.password,
        "topic.prefix": "t",
        "snapshot.mode": "no_data",
        "tombstones.on.delete": "false",
        "max.batch.size": "16384",
        "max.queue.size": "131072",
        "poll.interval.ms": "5",
        "key.converter.schemas.enable": "false",
        "value.converter.schemas.enable": "false",
        "statistics.metrics.enabled": "false",
        "advanced.metrics.enable": "false",
    }
    return _run("peer_debezium.py", {"properties": {**common, **properties}, "changes": changes})


def _run(script: str, settings: Mapping[str, object]) -> float:
    """Seconds that the peer says it took."""
    return _answer(script, settings)["seconds"]


def _answer(script: str, settings: Mapping[str, object]) -> dict[str, float]:
    command = [str(_python()), str(_HERE / script), json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, f"{script}: {done.stderr[-2000:]}"
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _address(server: Server) -> dict[str, object]:
    return {"host": server.host, "port": server.port, "user": server.user, "password": server.password}


@cache
def _has_java() -> bool:
    if shutil.which("java"):
        return True
    print("Debezium is left out: no Java", file=sys.stderr)
    return False


@cache
def _python() -> Path | None:
    """The environment's interpreter."""
    python = _FOLDER / "bin" / "python"
    requirements = _HERE / "peers.txt"
    stamp = _FOLDER / "installed.txt"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return python
    venv.create(_FOLDER, with_pip=True, clear=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(requirements)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"peers of others are left out: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return None
    stamp.write_text(requirements.read_text())
    return python
