"""Deliveries that runs of plans wait for.

The pre-check of a customer asks an agent, so it is made in a thread of its own and outside of the run's transactions. A
control plane claims one customer after the other in the run's row. When it dies meanwhile, another one takes the
customer up: a delivery is one transaction, so that no customer is left half-way, and one that is repeated changes
nothing.
"""

from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.features.policy.delivery import admitted, deliver, find_version, note_failure
from zcbus.control.features.policy.delivery_plan import Target
from zcbus.control.features.policy.rollout import facts_of
from zcbus.control.features.task_plan import repository
from zcbus.control.features.task_plan.claims import claim, is_free, is_own
from zcbus.control.features.task_plan.errors import PlanOwnerGoneError
from zcbus.control.features.task_plan.job_input import JobInput, JobType
from zcbus.control.features.task_plan.jobs.base import TableProgress
from zcbus.control.features.task_plan.jobs.distribution import DELIVERED, DISTRIBUTION, asked_of
from zcbus.control.features.task_plan.runner import ACTION
from zcbus.control.platform.call import Call, unattended
from zcbus.control.platform.errors import ForbiddenError, RecordNotFoundError, StoreBusyError
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import find_account
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

_log = get_logger("control.policy-plan")

# Errors that another attempt does not fix.
_FINAL = (ForbiddenError, RecordNotFoundError, PlanOwnerGoneError)


def deliver_policies(services: Services) -> None:
    """Deliver to the customers that open runs wait for. Several control planes may run it at once: one of them delivers
    to a customer."""
    with services.database.read() as store:
        waiting = repository.running_of(store, JobType.DISTRIBUTE)
    for run_id in waiting:
        while (claimed := _claim(services, run_id)) is not None:
            _end(services, *claimed, _deliver(services, *claimed))


def _claim(services: Services, run_id: str) -> tuple[Row[Any], TableProgress] | None:
    """The next customer of a run; None: none is left to deliver to."""
    with services.database.write() as store:
        run = repository.lock_run(store, run_id)
        found = next((one for one in run.tables if is_free(store, services, one)), None) if run is not None else None
        if run is None or found is None:
            return None
        _change(store, run, found["id"], claim(services))
        return run, found


def _deliver(services: Services, run: Row[Any], customer: TableProgress) -> dict[str, Any]:
    """Deliver to a customer in the owner's name; what becomes of its line in the run."""
    target, version = Target(customer["id"], None), int(customer["facts"]["version"])
    asked = asked_of(JobInput.model_validate(run.job))
    try:
        with services.database.read() as store:
            call = _call(services, store, run)
        principal = admitted(call)
        try:
            policy, contents = find_version(call, asked.policy, version)
            deliver(call, principal, policy, version, contents, target)
        except ZcbusError as error:
            note_failure(call, principal, asked.policy, version, target, error.code, facts_of(error))
            raise
    except ZcbusError as error:
        return _failed(error)
    except SQLAlchemyError as error:
        _log.error("delivery failed", run=run.id, master=customer["id"], exc_info=error)
        return _failed(StoreBusyError())
    return {"mark": DELIVERED, "code": "plan-policy-loading"}


def _failed(error: ZcbusError) -> dict[str, Any]:
    again = not isinstance(error, _FINAL)
    return {"done": False, "code": error.code, "facts": facts_of(error), "again": again}


def _call(services: Services, store: Connection, run: Row[Any]) -> Call:
    """In the owner's name, with the rights of now. Raises PlanOwnerGoneError, ForbiddenError."""
    owner = find_account(store, repository.owner_of(store, run.plan_id))
    if owner is None:
        raise PlanOwnerGoneError
    for access in DISTRIBUTION.checks(JobInput.model_validate(run.job)):
        owner = access.admit(owner)
    return unattended(services, store, owner, ACTION, run.id)


def _end(services: Services, run: Row[Any], customer: TableProgress, result: dict[str, Any]) -> None:
    """Note the result, unless the attempt is over already or another control plane has taken it up."""
    with services.database.write() as store:
        now = repository.lock_run(store, run.id)
        if now is None or now.attempt != run.attempt:
            return
        if any(one["id"] == customer["id"] and is_own(services, one) for one in now.tables):
            _change(store, now, customer["id"], result)


def _change(store: Connection, run: Row[Any], customer: str, values: dict[str, Any]) -> None:
    tables = [{**one, **values} if one["id"] == customer and one["done"] is None else one for one in run.tables]
    repository.change_run(store, run.id, {"tables": tables})
