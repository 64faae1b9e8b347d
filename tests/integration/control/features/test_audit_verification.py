"""The operation log is verified by itself; what was found is kept under seal and reported."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_audit_proof import RECORD, copy, put_back, tamper, write
from tests.support.control_plane import ControlPlane
from zcbus.cli import accounts
from zcbus.cli.main import main
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.operation_log.kept_head import keep_head
from zcbus.control.features.operation_log.verification import verify_if_due
from zcbus.control.store.tables.audit import audit_proof

PROOF = "monitor/operation-log/proof"
VERIFY = "monitor/operation-log/verify"


def row(plane: ControlPlane) -> Any:
    with plane.services.database.read() as store:
        return store.execute(audit_proof.select()).one()


def alerts(plane: ControlPlane, admin: Caller) -> list[str]:
    """Kinds of the open alerts about the log, after a look."""
    evaluate(plane.services)
    records = admin.call("sys/alarmmsg/page")["records"]
    return [one["kind"] for one in records if one["kind"].startswith("audit") and one["recoveredTime"] is None]


def pass_time(plane: ControlPlane, days: float) -> Caller:
    plane.clock.advance(timedelta(days=days, seconds=1))
    return Caller(plane, plane.sign_in())


def test_a_break_is_an_alert_until_the_log_is_as_it_was_written(plane: ControlPlane, admin: Caller) -> None:
    write(plane, 5)
    verify_if_due(plane.services)
    assert admin.call(PROOF)["state"] == "intact"
    assert alerts(plane, admin) == []
    kept = copy(plane)
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(3)}")
    found = admin.call(VERIFY)
    assert (found["state"], found["breakCount"]) == ("broken", 1)
    assert (found["breaks"][0]["sequence"], found["breaks"][0]["text"]) == (3, "the record was changed")
    assert alerts(plane, admin) == ["audit-broken"]
    put_back(plane, kept)
    assert alerts(plane, admin) == ["audit-broken"]
    assert admin.call(VERIFY)["state"] == "intact"
    assert alerts(plane, admin) == []


def test_daily_verification_reads_what_is_new_and_weekly_everything(plane: ControlPlane, admin: Caller) -> None:
    write(plane, 3)
    verify_if_due(plane.services)
    first = row(plane)
    plane.clock.advance(timedelta(hours=23))
    verify_if_due(plane.services)
    assert row(plane) == first
    # An old record is not read daily, so that this change waits for the week's end; a new one is found at once.
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(2)}")
    pass_time(plane, 1)
    write(plane, 2)
    verify_if_due(plane.services)
    assert row(plane).whole_at == first.whole_at
    assert row(plane).end_sequence > first.end_sequence
    admin = pass_time(plane, 6)
    verify_if_due(plane.services)
    assert admin.call(PROOF)["breaks"][0]["sequence"] == 2


def test_a_change_since_the_last_verification_is_found_daily(plane: ControlPlane) -> None:
    verify_if_due(plane.services)
    write(plane, 3)
    tamper(plane, f"DELETE FROM audit_record WHERE id = {RECORD.format(2)}")
    admin = pass_time(plane, 1)
    verify_if_due(plane.services)
    assert admin.call(PROOF)["state"] == "broken"
    assert alerts(plane, admin) == ["audit-broken"]


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE audit_proof SET result = replace(result, 'record-changed', 'x')",
        "UPDATE audit_proof SET result = '{\"breaks\": []}'",
        "UPDATE audit_proof SET checked_at = whole_at, host = 'other'",
    ],
    ids=["break", "breaks", "host"],
)
def test_an_edited_result_is_reported_and_verified_again(plane: ControlPlane, admin: Caller, forgery: str) -> None:
    write(plane, 3)
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(3)}")
    verify_if_due(plane.services)
    tamper(plane, forgery)
    assert admin.call(PROOF)["state"] == "broken"
    assert alerts(plane, admin) == ["audit-broken"]
    verify_if_due(plane.services)
    texts = [one["text"] for one in admin.call(PROOF)["breaks"]]
    assert texts == ["the result of the last verification was changed, deleted or put back", "the record was changed"]


@pytest.mark.parametrize("forgery", ["deleted", "put back"])
def test_a_result_that_is_taken_away_is_noticed(plane: ControlPlane, admin: Caller, forgery: str) -> None:
    write(plane, 3)
    verify_if_due(plane.services)
    good = dict(row(plane)._mapping)
    plane.clock.advance(timedelta(minutes=1))
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(3)}")
    admin.call(VERIFY)
    tamper(plane, "DELETE FROM audit_proof")
    if forgery == "put back":
        with plane.services.database.engine.begin() as store:
            store.execute(audit_proof.insert().values(**good))
    verify_if_due(plane.services)
    assert admin.call(PROOF)["breakCount"] == 2
    assert alerts(plane, admin) == ["audit-broken"]


def test_a_cut_end_is_reported_within_a_minute_until_it_is_accepted(
    plane: ControlPlane, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(plane, 5)
    keep_head(plane.services)
    verify_if_due(plane.services)
    tamper(plane, "DELETE FROM audit_record", "DELETE FROM audit_link")
    verify_if_due(plane.services)
    assert alerts(plane, admin) == ["audit-broken"]
    monkeypatch.setattr(accounts, "load_settings", lambda: plane.services.settings)
    assert main(["audit", "accept"]) == 0
    verify_if_due(plane.services)
    assert admin.call(PROOF)["state"] == "intact"
    assert alerts(plane, admin) == []


def test_a_log_that_is_not_verified_is_an_alert(plane: ControlPlane, admin: Caller) -> None:
    assert admin.call(PROOF)["state"] == "unverified"
    assert alerts(plane, admin) == []
    admin = pass_time(plane, 2)
    assert alerts(plane, admin) == ["audit-unverified"]
    verify_if_due(plane.services)
    assert alerts(plane, admin) == []
    admin = pass_time(plane, 2)
    assert admin.call(PROOF)["state"] == "unverified"
    assert alerts(plane, admin) == ["audit-unverified"]


def test_only_users_who_see_every_tenant_verify_and_see_the_breaks(plane: ControlPlane, admin: Caller) -> None:
    south = administrator_of(plane, "south")
    write(plane, 3)
    tamper(plane, f"UPDATE audit_record SET subject = 'other' WHERE id = {RECORD.format(2)}")
    assert south.refused(VERIFY)["code"] == 40103
    admin.call(VERIFY)
    shown = south.call(PROOF)
    assert (shown["state"], shown["breakCount"], shown["breaks"], shown["mayVerify"]) == ("broken", 1, [], False)
