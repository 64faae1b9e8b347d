"""Streams of a real server: what is read, what is noticed when entries vanish, the connection test and its rights."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.servers.valkey import ValkeyServer
from zcbus.connectors.consuming.consumer import Mark, Message, TopicTrouble, mark_of
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.redis.consumer import RedisConsumer
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.kit import network
from zcbus.kit.network import NetworkRules

pytestmark = pytest.mark.server
GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "redis-streams.md"
S = ("s", 0)
Change = Callable[["redis.Redis"], object]


@pytest.fixture
def database(valkey_server: ValkeyServer) -> Iterator[str]:
    name = valkey_server.fresh_database()
    yield name
    valkey_server.drop_database(name)


@pytest.fixture
def client(valkey_server: ValkeyServer, database: str) -> Iterator["redis.Redis"]:
    with valkey_server.client(database) as made:
        yield made


@pytest.fixture
def options(valkey_server: ValkeyServer, database: str) -> RedisOptions:
    return valkey_server.options(database)


def add(client: "redis.Redis", first: int, count: int, stream: str = "s", **fields: str) -> None:
    with client.pipeline() as pipeline:
        for number in range(first, first + count):
            pipeline.xadd(stream, {"n": str(number), **fields}, id=f"{number}-0")
        pipeline.execute()


def read(consumer: RedisConsumer, count: int) -> list[Message]:
    found: list[Message] = []
    while len(found) < count:
        found += consumer.read(0.2)[0]
    return found


def checks(options: RedisOptions) -> list[CheckResult]:
    return connector("redis").tester().test(options, "source")


def test_entries_of_any_size_arrive_in_order(client: "redis.Redis", options: RedisOptions) -> None:
    add(client, 1, 3000)
    for number in (5001, 5002):
        client.xadd("s", {"n": "x" * 3_000_000}, id=f"{number}-7")
    add(client, 6000, 3000)
    client.xgroup_create("other", "g", mkstream=True)
    with closing(RedisConsumer(options)) as consumer:
        consumer.follow({S: 0, ("other", 0): 0})
        found = read(consumer, 6002)
        assert [one.time_ms for one in found] == [*range(1, 3001), 5001, 5002, *range(6000, 9000)]
        assert max(len(one.headers[0][1] or b"") for one in found) == 3_000_000
        client.xadd("other", {"n": "1"})
        assert [one.topic for one in read(consumer, 1)] == ["other"]


LOSSES: dict[str, tuple[Change, str]] = {
    "trimmed by hand": (lambda client: (add(client, 11, 5), client.xtrim("s", 3, approximate=False)), "messages-lost"),
    "trimmed by the producer": (
        lambda client: [client.xadd("s", {"n": "x"}, id=f"{n}-0", maxlen=4, approximate=False) for n in range(11, 16)],
        "messages-lost",
    ),
    "trimmed completely": (lambda client: (add(client, 11, 5), client.xtrim("s", 0)), "messages-lost"),
    "one in the midst deleted": (lambda client: (add(client, 11, 5), client.xdel("s", "13-0")), "messages-lost"),
    "the last deleted": (lambda client: (add(client, 11, 5), client.xdel("s", "15-0")), "messages-lost"),
    "all deleted": (lambda client: (add(client, 11, 1), client.xdel("s", "11-0")), "messages-lost"),
    "counter set ahead": (
        lambda client: client.execute_command("XSETID", "s", "20-0", "ENTRIESADDED", 30, "MAXDELETEDID", "0-0"),
        "messages-lost",
    ),
    "deleted": (lambda client: client.delete("s"), "topic-replaced"),
    "another type": (lambda client: (client.delete("s"), client.set("s", "x")), "topic-replaced"),
    "made again with fewer": (lambda client: (client.delete("s"), add(client, 100, 3)), "topic-replaced"),
    "made again with as many": (lambda client: (client.delete("s"), add(client, 100, 10)), "topic-replaced"),
    "made again with more": (lambda client: (client.delete("s"), add(client, 100, 50)), "topic-replaced"),
    "made again and trimmed": (
        lambda client: (client.delete("s"), add(client, 100, 50), client.xtrim("s", 45, approximate=False)),
        "topic-replaced",
    ),
    "made again with the same ids": (
        lambda client: (client.delete("s"), add(client, 1, 20, other="x")),
        "topic-replaced",
    ),
    "ends before": (lambda client: (client.xtrim("s", 0), client.execute_command("XSETID", "s", "9-0")), "ends"),
}
"""What happens after ten entries were read, and the reason that the table gets; `ends`: the ends are before."""


@pytest.mark.parametrize("name", sorted(LOSSES))
@pytest.mark.parametrize("is_away", [False, True])
def test_what_vanishes_before_it_was_read_is_noticed(
    client: "redis.Redis", options: RedisOptions, name: str, is_away: bool
) -> None:
    """By a reader that stays, and by one that resumes later."""
    change, reason = LOSSES[name]
    add(client, 1, 10)
    with closing(RedisConsumer(options)) as consumer:
        consumer.follow({S: _start(consumer)})
        found = read(consumer, 10)
        reached = found[-1].offset + 1
        change(client)
        reason_found = fault(options, reached, mark_of(found[-1])) if is_away else _fault(consumer, reached)
    assert reason_found == reason


def _start(consumer: RedisConsumer) -> int:
    """Before the first entry, counted."""
    assert consumer.held([S]) == 10
    return 2


def fault(options: RedisOptions, reached: int, mark: Mark) -> str:
    with closing(RedisConsumer(options)) as consumer:
        try:
            if consumer.ends([S])[S] < reached:
                return "ends"
            consumer.recognise({S: mark})
            consumer.follow({S: reached})
        except TopicTrouble as trouble:
            return trouble.reason
        return _fault(consumer, reached)


def _fault(consumer: RedisConsumer, reached: int) -> str:
    try:
        if consumer.ends([S])[S] < reached:
            return "ends"
        for _ in range(3):
            consumer.read(0.05)
    except TopicTrouble as trouble:
        return trouble.reason
    return ""


KEPT: dict[str, Change] = {
    "what was read is trimmed": lambda client: (client.xtrim("s", 3, approximate=False), add(client, 11, 5)),
    "what was read is deleted": lambda client: (
        client.xdel("s", *(f"{n}-0" for n in range(1, 11))),
        add(client, 11, 5),
    ),
    "trimmed up to the last": lambda client: (add(client, 11, 5), client.xtrim("s", 5, approximate=False)),
    "ids continue elsewhere": lambda client: (client.execute_command("XSETID", "s", "20-0"), add(client, 21, 5)),
    "read by a group": lambda client: (add(client, 11, 5), read_by_group(client)),
}


def read_by_group(client: "redis.Redis") -> None:
    client.xgroup_create("s", "g", "0")
    client.xreadgroup("g", "c", {"s": ">"})
    client.xtrim("s", minid="11-0", approximate=False)


@pytest.mark.parametrize("name", sorted(KEPT))
def test_what_was_read_may_vanish(client: "redis.Redis", options: RedisOptions, name: str) -> None:
    add(client, 1, 10)
    with closing(RedisConsumer(options)) as consumer:
        consumer.follow({S: _start(consumer)})
        found = read(consumer, 10)
        KEPT[name](client)
        assert len(read(consumer, 5)) == 5
        assert _fault(consumer, found[-1].offset + 1) == ""
    with closing(RedisConsumer(options)) as consumer:
        consumer.recognise({S: mark_of(found[-1])})
        consumer.follow({S: found[-1].offset + 1})
        assert len(read(consumer, 5)) == 5
        assert consumer.ends([S])[S] == consumer._followed["s"].reached.offset()


@pytest.mark.parametrize(
    "change",
    [lambda client: client.xdel("s", "4000-0"), lambda client: client.xtrim("s", minid="12-0", approximate=False)],
)
def test_a_loss_is_noticed_before_the_rest_is_read(
    client: "redis.Redis", options: RedisOptions, change: Change
) -> None:
    """A backlog may take hours."""
    add(client, 1, 10)
    with closing(RedisConsumer(options)) as consumer:
        consumer.follow({S: _start(consumer)})
        read(consumer, 10)
        add(client, 11, 5000)
        change(client)
        with pytest.raises(TopicTrouble) as lost:
            consumer.read(0.2)
    assert lost.value.reason == "messages-lost"


def test_an_end_without_entries_is_passed(client: "redis.Redis", options: RedisOptions) -> None:
    add(client, 1, 10)
    with closing(RedisConsumer(options)) as consumer:
        consumer.follow({S: _start(consumer)})
        read(consumer, 10)
        client.execute_command("XSETID", "s", "20-0")
        end = consumer.ends([S])
        assert consumer.read(0.1) == ([], end)


@contextmanager
def server(*settings: str) -> Iterator[ValkeyServer]:
    made = ValkeyServer(*settings)
    try:
        yield made
    finally:
        made.remove()


def test_a_failover_to_a_replica_that_lagged_is_noticed() -> None:
    with server() as primary, server("--replicaof", f"127.0.0.1 {primary.port}") as replica:
        with primary.client() as client:
            add(client, 1, 8)
            client.wait(1, 10_000)
            with replica.client() as lagging:
                lagging.execute_command("REPLICAOF", "NO", "ONE")
            add(client, 9, 2)
        with closing(RedisConsumer(primary.options("0"))) as consumer:
            consumer.follow({S: _start(consumer)})
            found = read(consumer, 10)
        for first, count, reason in ((0, 0, "ends"), (20, 1, "topic-replaced"), (21, 5, "topic-replaced")):
            with replica.client() as client:
                add(client, first, count)
            assert fault(replica.options("0"), found[-1].offset + 1, mark_of(found[-1])) == reason
            assert fault(replica.options("0"), found[7].offset + 1, mark_of(found[7])) == "", "nothing read was lost"


def test_a_replica_is_not_read(valkey_server: ValkeyServer) -> None:
    with server("--replicaof", f"{valkey_server.host} {valkey_server.port}") as replica:
        with closing(RedisConsumer(replica.options("0"))) as consumer, pytest.raises(SourceUnavailable):
            consumer.topics([])
        assert {one.item: one.ok for one in checks(replica.options("0"))}["primary"] is False


def test_positions_survive_a_restart_with_a_rewritten_file() -> None:
    with server() as own:
        with own.client() as client:
            add(client, 1, 10)
            client.xdel("s", "3-0")
            client.xtrim("s", 4, approximate=False)
        with closing(RedisConsumer(own.options("0"))) as consumer:
            before = consumer.ends([S])
        with own.client() as client:
            client.bgrewriteaof()
            while client.info("persistence")["aof_rewrite_in_progress"]:
                pass
        own.restart()
        with closing(RedisConsumer(own.options("0"))) as consumer:
            assert consumer.ends([S]) == before
            consumer.follow({S: before[S]})
            with own.client() as client:
                add(client, 11, 5)
            assert len(read(consumer, 5)) == 5


def test_a_killed_server_is_unavailable() -> None:
    with server() as own, closing(RedisConsumer(own.options("0"))) as consumer:
        with own.client() as client:
            add(client, 1, 10)
        consumer.follow({S: 0})
        assert len(read(consumer, 10)) == 10
        own.kill()
        with pytest.raises(SourceUnavailable):
            consumer.read(1.0)
        with pytest.raises(SourceUnavailable):
            consumer.read(1.0)


def test_streams_are_listed_and_nothing_else(client: "redis.Redis", options: RedisOptions) -> None:
    for name in ("shop:orders", "shop:audit", "other", "shop*", "line\nfeed"):
        client.xadd(name, {"a": "1"})
    client.set("shop:text", "x")
    for pattern, expected in {
        "*": ["other", "shop*", "shop:audit", "shop:orders"],
        "shop:*": ["shop:audit", "shop:orders"],
        "shop:orders, none, shop:text": ["shop:orders"],
        "shop:o*, other": ["other", "shop:orders"],
    }.items():
        chosen = RedisOptions(host=options.host, port=options.port, database=options.database, topics=pattern)
        with closing(RedisConsumer(chosen)) as consumer:
            assert consumer.names() == expected


def test_a_connection_test_suggests_columns(client: "redis.Redis", options: RedisOptions) -> None:
    add(client, 1, 5, at="2026-01-31T10:00:00Z", name="名")
    found = checks(options)
    assert [one.item for one in found] == [
        *("reachable", "login", "version", "cluster", "primary"),
        *("permissions", "permissions", "columns", "persistence"),
    ]
    assert all(one.ok for one in found)
    assert found[6].detail == "1 × 5"
    assert found[7].detail == "s: n bigint, at timestamptz, name text"


def test_rights_are_those_of_the_guide_and_of_the_remedy(
    valkey_server: ValkeyServer, client: "redis.Redis", database: str
) -> None:
    add(client, 1, 5)
    add(client, 1, 5, "secret")
    options = valkey_server.options(database, user="reader", password="secret", topics="s")
    everything = valkey_server.options(database, user="reader", password="secret")
    (guide,) = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("ACL SETUSER")]
    client.execute_command("ACL", "SETUSER", "reader", "on", ">secret", "resetkeys", "+info", "+ping", "+select")
    try:
        refused = next(one for one in checks(options) if not one.ok)
        assert (refused.item, refused.blocking) == ("permissions", True)
        client.execute_command(*refused.remedy.split())
        assert {one.item for one in checks(options) if not one.ok} <= {"persistence"}
        client.execute_command("ACL", "SETUSER", "reader", "reset")
        client.execute_command(*guide.replace("~orders", "~s").replace("SETUSER zcbus", "SETUSER reader").split())
        assert {one.item for one in checks(options) if not one.ok} <= {"persistence"}
        denied = [one for one in checks(everything) if not one.ok and one.item == "permissions"]
        assert [(one.statement, one.blocking, one.advice) for one in denied] == [("read secret", False, "access")]
        with closing(RedisConsumer(everything)) as consumer:
            with pytest.raises(TopicTrouble) as trouble:
                consumer.ends([("secret", 0)])
            consumer.follow({S: 0})
            read(consumer, 5)
            client.execute_command("ACL", "SETUSER", "reader", "resetkeys")
            with pytest.raises(TopicTrouble) as later:
                read(consumer, 1)
        assert (trouble.value.reason, later.value.reason) == ("topic-denied", "topic-denied")
    finally:
        client.execute_command("ACL", "DELUSER", "reader")


def test_addresses_that_the_network_rules_forbid_are_not_connected_to(options: RedisOptions) -> None:
    network.use(NetworkRules(loopback=False))
    try:
        with pytest.raises(SourceUnavailable):
            RedisConsumer(options)
    finally:
        network.use(NetworkRules())


def test_a_source_is_not_compared(options: RedisOptions) -> None:
    spec: Any = connector("redis")
    with pytest.raises(Exception, match="role"):
        spec.reader(options, "source")
