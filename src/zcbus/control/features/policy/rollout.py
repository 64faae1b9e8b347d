"""Rolling a version out: customer after customer, wave after wave."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.delivery import note_failure
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, TableAction, Target
from zcbus.control.features.policy.distribution_schemas import DeliveryResult
from zcbus.control.features.policy.errors import WaveStoppedError
from zcbus.control.features.subscribe import lookup
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import StoreBusyError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.progress import CallCancelledError
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

_log = get_logger("control.policy")

SETTLE_SECONDS = 600
"""So long a wave may take until its tables are loaded and apply changes."""
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Attempt:
    """Work for one customer: the policy, its version and the wave."""

    policy_id: str
    version: int
    target: Target
    work: Callable[[], DeliveryPlan]
    wave: str = ""


def perform(call: Call, principal: Principal, attempts: Sequence[Attempt], action: str) -> list[DeliveryResult]:
    """One customer after another, in the order of the waves. One that fails stops none of its own wave. The next wave
    begins when all of the one before have the version and their tables are loaded and apply changes; else those that
    follow keep what they have, and their lines say so. The operation log has what was done even where the call is
    cancelled on the way. Raises CallCancelledError."""
    results = list[DeliveryResult]()
    stopped_by: str | None = None
    waves = list(dict.fromkeys(attempt.wave for attempt in attempts))
    for wave in waves:
        begun = len(results)
        for attempt in (one for one in attempts if one.wave == wave):
            call.audit.after = _logged(results, action)
            call.progress.step("policy-customers", len(attempts))
            call.progress.reached(len(results), len(attempts))
            if stopped_by is None:
                results.append(_result(call, principal, attempt))
            else:
                results.append(_failed(call, principal, attempt, WaveStoppedError(wave=wave, before=stopped_by)))
        call.audit.after = _logged(results, action)
        is_last = wave == waves[-1]
        if stopped_by is None and not is_last and not _succeeds(call, attempts[0].policy_id, results[begun:]):
            stopped_by = wave
    return results


def facts_of(error: ZcbusError) -> dict[str, str]:
    """Facts of an error, as texts."""
    return {name: str(value) for name, value in error.facts.items() if name != "findings"}


def names_of(call: Call, principal: Principal, master_id: str) -> tuple[str, str]:
    """Of a master's customer and of the master, as far as the caller may see them."""
    try:
        with call.services.database.read() as store:
            master = lookup.find_master(store, principal, master_id)
    except (ZcbusError, SQLAlchemyError):
        return master_id, master_id
    return master.customer_name, master.name


def _succeeds(call: Call, policy_id: str, results: Sequence[DeliveryResult]) -> bool:
    """Whether a wave comes to what it is to be; waits for it. Raises CallCancelledError."""
    if not all(one.done for one in results):
        return False
    masters = [one.control_id for one in results]
    deadline = time.monotonic() + SETTLE_SECONDS
    call.progress.step("policy-wave", len(masters))
    while True:
        with call.services.database.read() as store:
            states = repository.states_of(store, policy_id, masters)
        settled = sum(state in ("active", "suspended") for state in states)
        call.progress.reached(settled, len(masters))
        if settled == len(masters):
            return True
        if "error" in states or len(states) < len(masters) or time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_SECONDS)
        call.progress.check()


def _result(call: Call, principal: Principal, attempt: Attempt) -> DeliveryResult:
    """Deliver to one customer. A failure is noted on the customer's line."""
    try:
        plan = attempt.work()
    except CallCancelledError:
        raise
    except ZcbusError as error:
        return _failed(call, principal, attempt, error)
    except SQLAlchemyError as error:
        _log.error("delivery failed", policy=attempt.policy_id, master=attempt.target.master_id, exc_info=error)
        return _failed(call, principal, attempt, StoreBusyError())
    return DeliveryResult(
        control_id=plan.master.id,
        customer_name=plan.master.customer_name,
        done=True,
        version=attempt.version,
        tables={action: len(plan.of(action)) for action in TableAction if plan.of(action)},
    )


def _failed(call: Call, principal: Principal, attempt: Attempt, error: ZcbusError) -> DeliveryResult:
    facts = facts_of(error)
    try:
        note_failure(call, principal, attempt.policy_id, attempt.version, attempt.target, error.code, facts)
    except SQLAlchemyError as lost:
        # The caller gets the failure all the same.
        _log.error("failure not noted", policy=attempt.policy_id, master=attempt.target.master_id, exc_info=lost)
    return DeliveryResult(
        control_id=attempt.target.master_id,
        customer_name=names_of(call, principal, attempt.target.master_id)[0],
        done=False,
        version=attempt.version,
        tables={},
        code=error.code,
        reason=ReasonTexts.of(call).text(error.code, facts),
    )


def _logged(results: Sequence[DeliveryResult], action: str) -> dict[str, Any]:
    return {
        "action": action,
        "customers": {
            one.customer_name: {"version": one.version, **({} if one.done else {"refused": one.reason})}
            for one in results
        },
    }
