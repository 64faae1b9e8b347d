"""The last verification as users see it."""

from typing import Any

from zcbus.control.features.operation_log import verification
from zcbus.control.features.operation_log.schemas import BreakRecord, ProofRecord, ProofState
from zcbus.control.features.operation_log.verification import Result
from zcbus.control.platform.call import Call
from zcbus.control.platform.menus import Operation
from zcbus.control.store.engine import Database

MENU_KEY = "monitor/operation-log"
PROOF_KEY = "Monitor.LogProof"
"""Of the whole platform: the chain has the records of every tenant."""

_SHOWN_BREAKS = 20


def proof_record(call: Call, database: Database) -> ProofRecord:
    """The result that matters most: a break, else the latest."""
    with database.read() as store:
        found = verification.results(store, call.services)
        since = verification.unverified_since(store, call.services, found)
    may_verify = call.principal.may(PROOF_KEY, Operation.OPERATE)
    if not found:
        return ProofRecord(state="unverified", may_verify=may_verify)
    result = next((one for one in found if one.state != "intact"), found[0])
    state: ProofState = "broken" if result.state != "intact" else "unverified" if since is not None else "intact"
    return _record(call, result, state, may_verify)


def _record(call: Call, result: Result, state: ProofState, may_verify: bool) -> ProofRecord:
    breaks = result.proof.get("breaks", [{"reason": "result-forged"}])
    names = ("records", "since", "until", "began_at", "earlier_records", "kept_sequence")
    shown = breaks[:_SHOWN_BREAKS] if call.principal.spans_tenants else []
    return ProofRecord(
        **{name: result.proof.get(name) for name in names},
        state=state,
        host=result.host,
        checked_at=result.checked_at,
        whole_at=result.whole_at,
        break_count=len(breaks),
        breaks=[_break(call, one) for one in shown],
        may_verify=may_verify,
    )


def _break(call: Call, one: dict[str, Any]) -> BreakRecord:
    return BreakRecord(
        text=call.text(f"audit.reason.{one['reason']}"),
        sequence=one.get("sequence"),
        record_id=one.get("record_id"),
        at=one.get("at"),
    )
