"""What the agent keeps: undelivered reports, and orders that survive it."""

from datetime import UTC, datetime
from pathlib import Path

from zcbus.agent.order_store import OrderStore
from zcbus.agent.outbox import Outbox
from zcbus.model.states import DesiredState, SyncState
from zcbus.protocol.agent import Order, Orders, SyncRequest
from zcbus.protocol.base import Connection
from zcbus.protocol.reports import Attempt, SyncTableReport
from zcbus.protocol.tasks import PublishTask

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def report(table: str, inserts: int) -> SyncTableReport:
    return SyncTableReport(table=table, state=SyncState.INCREMENTAL_RUNNING, inserts=inserts, at=NOW)


def attempt(result: str) -> Attempt:
    return Attempt(service="s", started_at=NOW, ended_at=NOW, result=result)


def test_only_the_newest_report_of_a_table_is_sent() -> None:
    box = Outbox()
    for table, inserts in (("a", 1), ("b", 5), ("a", 2)):
        box.put_report("s", report(table, inserts))
    reports, _, _ = box.take()
    assert [r.inserts for r in reports[0].reports if isinstance(r, SyncTableReport)] == [2, 5]
    assert box.take() == ((), (), ())


def test_undelivered_messages_return_unless_newer_reports_replaced_them() -> None:
    box = Outbox()
    box.put_report("s", report("a", 1))
    box.put_report("s", report("b", 1))
    box.put_attempt(attempt("exit 1"))
    reports, attempts, answers = box.take()
    undelivered = SyncRequest(agent="x", reports=reports, attempts=attempts, answers=answers, at=NOW)
    box.put_report("s", report("a", 9))
    box.put_attempt(attempt("exit 2"))
    box.give_back(undelivered)
    reports, attempts, _ = box.take()
    assert {r.table: r.inserts for r in reports[0].reports if isinstance(r, SyncTableReport)} == {"a": 9, "b": 1}
    assert [a.result for a in attempts] == ["exit 1", "exit 2"]


def test_changed_states_and_ends_are_news_and_figures_are_not() -> None:
    news: list[str] = []
    box = Outbox(lambda: news.append("news"))
    box.put_report("s", report("a", 1))
    box.put_report("s", report("a", 2))
    box.take()
    box.put_report("s", report("a", 3))
    assert len(news) == 1
    box.put_report("s", report("a", 3).model_copy(update={"state": SyncState.SUSPENDED}))
    box.put_attempt(attempt("exit 1"))
    assert len(news) == 3


def orders(password: str, edition: str = "") -> Orders:
    source = Connection.model_validate(
        {
            "kind": "mysql",
            "options": {"host": "h", "port": 1, "user": "u", "database": "d"},
            "secrets": {"password": password},
        }
    )
    task = PublishTask(service="s", node="n", source=source, tables=())
    return Orders(version="7", edition=edition, orders=(Order(service="s", desired=DesiredState.RUNNING, task=task),))


def test_orders_survive_and_no_password_is_readable_on_disk(tmp_path: Path) -> None:
    held = orders("s3cret-Passw0rd")
    OrderStore(tmp_path).save(held)
    assert OrderStore(tmp_path).load() == held
    for path in tmp_path.iterdir():
        assert b"s3cret-Passw0rd" not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


def test_damaged_orders_are_as_good_as_none(tmp_path: Path) -> None:
    store = OrderStore(tmp_path)
    store.save(orders("x"))
    path = tmp_path / "orders"
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    assert store.load() is None
    assert OrderStore(tmp_path / "empty").load() is None


def changes(edition: str, since: str) -> Orders:
    return orders("s3cret-Passw0rd", edition).model_copy(update={"since": since, "version": edition})


def chain(folder: Path) -> OrderStore:
    """Orders of the editions 1, and 2 and 3 as changes."""
    store = OrderStore(folder)
    store.save(orders("x", "1"))
    for edition, since in (("2", "1"), ("3", "2")):
        store.save(orders("y", edition).model_copy(update={"version": edition}), changes(edition, since))
    return store


def test_changes_of_orders_are_appended_and_survive_a_restart(tmp_path: Path) -> None:
    chain(tmp_path)
    first = (tmp_path / "orders").read_bytes()
    store = OrderStore(tmp_path)
    held = store.load()
    assert held is not None
    assert (held.edition, held.version, held.since) == ("3", "3", "")
    store.save(held, changes("4", "3"))
    assert (tmp_path / "orders").read_bytes() == first
    for path in tmp_path.iterdir():
        assert b"s3cret-Passw0rd" not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


def test_changes_that_a_stop_left_half_written_are_skipped_and_written_again(tmp_path: Path) -> None:
    chain(tmp_path)
    path = tmp_path / "orders.changes"
    path.write_bytes(path.read_bytes()[:-5])
    store = OrderStore(tmp_path)
    held = store.load()
    assert held is not None
    assert held.edition == "2"
    store.save(orders("z", "3"), changes("3", "2"))
    assert not path.exists()
    assert OrderStore(tmp_path).load() == orders("z", "3")


def test_changes_of_other_orders_are_passed_over(tmp_path: Path) -> None:
    chain(tmp_path)
    left = (tmp_path / "orders.changes").read_bytes()
    OrderStore(tmp_path).save(orders("z", "9"))
    (tmp_path / "orders.changes").write_bytes(left)
    assert OrderStore(tmp_path).load() == orders("z", "9")


def test_orders_are_rewritten_once_their_changes_take_as_much_room(tmp_path: Path) -> None:
    store = OrderStore(tmp_path)
    store.save(orders("x", "0"))
    largest = 0
    for edition in range(1, 400):
        store.save(orders("y", str(edition)), changes(str(edition), str(edition - 1)))
        path = tmp_path / "orders.changes"
        largest = max(largest, path.stat().st_size if path.exists() else 0)
    assert largest < (1 << 16) + 1_000
    held = OrderStore(tmp_path).load()
    assert held is not None
    assert held.edition == "399"
