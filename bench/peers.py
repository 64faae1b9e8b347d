"""Peers that read what changes, and one that compares. Where one cannot be had, or there is no Java 17 for Debezium,
the reason is printed and its cases are left out.
"""

import shutil
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.servers.base import Server

from bench.databases import SOURCE, TARGET
from bench.environments import answer, environment, url
from bench.timing import Measure

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
    addresses = [url(source, SOURCE), url(target, TARGET)]

    def measure() -> float:
        answer = _answer("peer_reladiff.py", {"addresses": addresses, "columns": _COMPARED.split(",")})
        if answer["rows"] != differ:
            print(f"reladiff finds {answer['rows']:.0f} rows that differ, {differ} do", file=sys.stderr)
        return answer["seconds"]

    return {"reladiff": measure}


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
    return answer(_python(), script, settings)


def _address(server: Server) -> dict[str, object]:
    return {"host": server.host, "port": server.port, "user": server.user, "password": server.password}


@cache
def _has_java() -> bool:
    if shutil.which("java"):
        return True
    print("Debezium is left out: no Java", file=sys.stderr)
    return False


def _python() -> Path | None:
    return environment("peers.txt")
