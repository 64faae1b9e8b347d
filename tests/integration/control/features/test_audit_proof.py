"""The operation log is proved by its chain: each way to tamper with it is found at the right place."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.cli import accounts
from zcbus.cli.main import main
from zcbus.control.features.operation_log.kept_head import keep_head
from zcbus.control.features.operation_log.proof import verify
from zcbus.control.features.operation_log.retention import remove_old
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.principal import local_principal
from zcbus.control.store.tables.audit import audit_anchor, audit_link, audit_record

Found = list[tuple[str, int | None]]


def write(plane: ControlPlane, count: int, note: AuditNote | None = None) -> None:
    for number in range(count):
        with plane.services.database.write() as store:
            where = Circumstances("sync-link_delete", "", "", "")
            audit.record(store, plane.services, local_principal(), where, note or AuditNote(subject=f"link {number}"))


def breaks(plane: ControlPlane) -> Found:
    return [(one.reason, one.sequence) for one in verify(plane.services).breaks]


def tamper(plane: ControlPlane, *statements: str) -> None:
    with plane.services.database.engine.begin() as store:
        for statement in statements:
            store.execute(sa.text(statement))


def swap(first: int, second: int) -> list[str]:
    moves = ((first, -1), (second, first), (-1, second))
    return [f"UPDATE audit_link SET sequence = {new} WHERE sequence = {old}" for old, new in moves]


RECORD = "(SELECT record_id FROM audit_link WHERE sequence = {})"
TAMPERING: dict[str, tuple[list[str], Found]] = {
    "changed": (
        [f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(3)}"],
        [("record-changed", 3)],
    ),
    "spelled otherwise": (
        [f"UPDATE audit_record SET after = '{{\"a\": 1}}' WHERE id = {RECORD.format(2)}"],
        [("record-changed", 2)],
    ),
    "deleted": ([f"DELETE FROM audit_record WHERE id = {RECORD.format(2)}"], [("record-missing", 2)]),
    "deleted with its link": (
        [f"DELETE FROM audit_record WHERE id = {RECORD.format(2)}", "DELETE FROM audit_link WHERE sequence = 2"],
        [("link-missing", 3)],
    ),
    "inserted": (
        [
            "INSERT INTO audit_record (id, recorded_at, request_id, action, path, result)"
            " SELECT 'forged', recorded_at, '', 'user_delete', '', 'done' FROM audit_record LIMIT 1"
        ],
        [("record-inserted", None)],
    ),
    "links swapped": (swap(2, 3), [("link-forged", 2), ("link-forged", 3), ("link-forged", 4)]),
    "digest forged": (
        ["UPDATE audit_link SET digest = (SELECT digest FROM audit_link WHERE sequence = 1) WHERE sequence = 4"],
        [("link-forged", 4)],
    ),
    "end cut": (
        [f"DELETE FROM audit_record WHERE id = {RECORD.format(5)}", "DELETE FROM audit_link WHERE sequence = 5"],
        [("end-missing", 5)],
    ),
    "start cut": (
        [f"DELETE FROM audit_record WHERE id = {RECORD.format(1)}", "DELETE FROM audit_link WHERE sequence = 1"],
        [("link-missing", 2)],
    ),
    "anchor moved": (
        [
            f"DELETE FROM audit_record WHERE id = {RECORD.format(1)}",
            "UPDATE audit_anchor SET sequence = 1, link_seal = (SELECT seal FROM audit_link WHERE sequence = 1)",
            "DELETE FROM audit_link WHERE sequence = 1",
        ],
        [("anchor-forged", 1)],
    ),
    "begun again": (["DELETE FROM audit_link", "DELETE FROM audit_anchor"], [("end-missing", 5)]),
}


@pytest.mark.every_store
def test_each_kind_of_tampering_is_found(plane: ControlPlane) -> None:
    odd = {"text": "O'Hara 上海 \u0001", "numbers": [1.5, 2**63 - 1, -0.0], "moment": None, "": {"password": "x"}}
    write(plane, 4)
    write(plane, 1, AuditNote(subject="odd", before=odd, after=[odd]))
    keep_head(plane.services)
    proof = verify(plane.services)
    assert (proof.breaks, proof.links, proof.records, proof.kept_sequence) == ([], 5, 5, 5)
    kept = copy(plane)
    for name, (statements, expected) in TAMPERING.items():
        tamper(plane, *statements)
        if name == "begun again":
            write(plane, 3)
            keep_head(plane.services)  # leaves the evidence alone
        assert breaks(plane) == expected, name
        put_back(plane, kept)
        assert breaks(plane) == [], name


def copy(plane: ControlPlane) -> dict[sa.Table, list[dict[str, object]]]:
    with plane.services.database.read() as store:
        return {
            table: [dict(row._mapping) for row in store.execute(table.select())]
            for table in (audit_record, audit_link, audit_anchor)
        }


def put_back(plane: ControlPlane, kept: dict[sa.Table, list[dict[str, object]]]) -> None:
    with plane.services.database.write() as store:
        for table, rows in kept.items():
            store.execute(table.delete())
            store.execute(table.insert(), rows)


def test_a_call_that_ends_later_keeps_its_last_state(plane: ControlPlane) -> None:
    note, where = AuditNote(subject="plan"), Circumstances("service_force_status", "", "", "")
    with plane.services.database.write() as store:
        audit.begin(store, plane.services, local_principal(), where, note)
    write(plane, 1)
    assert breaks(plane) == []
    with plane.services.database.write() as store:
        audit.record(store, plane.services, local_principal(), where, note, "timed-out")
    assert breaks(plane) == []
    tamper(plane, "UPDATE audit_record SET result = 'begun', error_code = NULL WHERE result = 'failed'")
    assert breaks(plane) == [("record-changed", 3)]


@pytest.mark.every_store
def test_writers_at_once_make_one_chain(plane: ControlPlane) -> None:
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda _: write(plane, 10), range(8)))
    proof = verify(plane.services)
    assert (proof.breaks, proof.links, proof.records) == ([], 80, 80)


def test_retention_keeps_the_rest_provable_and_stops_at_a_break(admin: Caller, plane: ControlPlane) -> None:
    admin.call("bus-sys-parameter/update", {"variableName": "operation_log_days", "value": 30})
    write(plane, 3)
    keep_head(plane.services)
    note, where = AuditNote(), Circumstances("service_force_status", "", "", "")
    with plane.services.database.write() as store:
        audit.begin(store, plane.services, local_principal(), where, note)
    plane.clock.advance(timedelta(days=20))
    with plane.services.database.write() as store:
        audit.record(store, plane.services, local_principal(), where, note)
    write(plane, 2)
    plane.clock.advance(timedelta(days=10, seconds=1))
    remove_old(plane.services)
    proof = verify(plane.services)
    # The record that was begun with the removed ones stays until its end is old too.
    assert (proof.breaks, proof.links, proof.records) == ([], 3, 3)
    assert proof.removed == 6
    tamper(plane, "UPDATE audit_link SET digest = seal WHERE sequence = 8")
    plane.clock.advance(timedelta(days=31))
    remove_old(plane.services)
    assert breaks(plane) == [("link-forged", 8)]


def test_records_before_the_chain_are_taken_over(plane: ControlPlane) -> None:
    write(plane, 3)
    tamper(plane, "DELETE FROM audit_link", "DELETE FROM audit_anchor")
    write(plane, 1)
    proof = verify(plane.services)
    assert (proof.breaks, proof.links, proof.earlier_records, proof.kept_sequence) == ([], 4, 3, None)
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(2)}")
    assert breaks(plane) == [("record-changed", 2)]


def test_another_key_proves_nothing(plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> None:
    write(plane, 2)
    with control_plane(tmp_path_factory.mktemp("other")) as other:
        rows = copy(plane)
        put_back(other, rows)
        assert breaks(other) == [("anchor-forged", 0), ("link-forged", 1), ("link-forged", 2)]


def test_the_command_names_the_record_and_accepts_a_restored_store(
    plane: ControlPlane, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accounts, "load_settings", lambda: plane.services.settings)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    run: Callable[[str], int] = lambda verb: main(["audit", verb])  # noqa: E731
    write(plane, 2)
    backup = copy(plane)
    write(plane, 1)
    keep_head(plane.services)
    assert run("verify") == 0
    assert "Operation log intact: 3 records" in capsys.readouterr().out
    put_back(plane, backup)
    assert run("verify") == 1
    assert "link 3, record –, –: the end that this host saw is missing" in capsys.readouterr().out
    assert [run("accept"), run("verify")] == [0, 0]
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(2)}")
    capsys.readouterr()
    assert run("verify") == 1
    shown = capsys.readouterr().out
    assert "操作日志不完整" in shown
    assert "链节 2，记录" in shown
