"""Distribution of a policy's version to customers, which `task_plan.policy_deliverer` does outside of the run's
transactions: the pre-check of each customer asks an agent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.policy import policies
from zcbus.control.features.policy.delivery import admitted, deliveries_of, states_at
from zcbus.control.features.policy.endpoints import DISTRIBUTE_KEY
from zcbus.control.features.policy.errors import PolicyNodeGoneError
from zcbus.control.features.subscribe import lookup
from zcbus.control.features.subscribe.endpoints import CREATE, DELETE, EDIT
from zcbus.control.features.task_plan.job_input import DistributionInput, JobInput
from zcbus.control.features.task_plan.jobs.base import (
    DONE,
    WAITING,
    JobCall,
    RunProgress,
    TableProgress,
    Verdict,
    judged,
    progress_of,
    said,
)
from zcbus.control.features.task_plan.states import RunState
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation

DELIVERED = 2
"""Mark of a customer that has the version, and whose tables load."""

_SETTLED = frozenset({"active", "suspended"})


class _Distribution:
    """Done when every customer has the version, and its tables are loaded and apply changes. A customer that fails
    stays as it was and stops no other."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        # The last one decides which policies the owner sees.
        return (CREATE, EDIT, DELETE, authorise(DISTRIBUTE_KEY, Operation.OPERATE))

    def admit(self, call: Call, given: JobInput) -> None:
        """Raises RecordNotFoundError."""
        asked = asked_of(given)
        policy = policies.find(call.connection, call.principal, asked.policy)
        if asked.version is not None:
            policies.find_version(call.connection, policy.id, asked.version)
        for master in asked.masters or ():
            lookup.find_master(call.connection, admitted(call), master)

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        """Raises RecordNotFoundError, PolicyNodeGoneError."""
        asked = asked_of(job.job)
        policy = policies.find(job.store, job.call.principal, asked.policy)
        if policy.node_id is None:
            raise PolicyNodeGoneError(name=policy.product_name)
        version = asked.version or policies.newest_version(job.store, policy.id)
        facts = {"policy": policy.product_name}
        if version is None:
            return RunProgress(state=RunState.FAILED, reason=said("plan-policy-unreleased", **facts), again=False)
        customers = [_waiting(one["id"], one["table"], version) for one in undone] or _customers(job, policy, version)
        job.call.audit.subject = policy.product_name
        job.call.audit.after = {
            "policy": policy.product_name,
            "version": version,
            "customers": [one["table"] for one in customers],
        }
        if not customers:
            return RunProgress(state=RunState.FAILED, reason=said("plan-policy-no-customers", **facts), again=False)
        return RunProgress(customers)

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        policy = asked_of(job.job).policy
        seen = [judged(one, _verdict(job, policy, one)) if one["mark"] == DELIVERED else one for one in tables]
        return _progress(seen)

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """Who delivers finds that the run is over, and delivers to no further customer."""


def asked_of(job: JobInput) -> DistributionInput:
    """What a job of this type requests."""
    if job.distribution is None:
        raise RuntimeError(f"a job of type {job.type} distributes nothing")
    return job.distribution


def _customers(job: JobCall, policy: Row[Any], version: int) -> list[TableProgress]:
    """The chosen customers, or all that have the policy now."""
    chosen = asked_of(job.job).masters
    if chosen is None:
        held = deliveries_of(job.store, job.call.principal, policy.id)
        return [_waiting(row.master_id, _name(row.customer_name, row.master_name), version) for row in held]
    rows = [lookup.find_master(job.store, admitted(job.call), master) for master in dict.fromkeys(chosen)]
    return [_waiting(row.id, _name(row.customer_name, row.name), version) for row in rows]


def _name(customer: str, master: str) -> str:
    return f"{customer} · {master}"


def _waiting(master: str, name: str, version: int) -> TableProgress:
    facts = {"version": str(version)}
    return TableProgress(id=master, table=name, done=None, code="plan-policy-waiting", facts=facts, mark=0, again=True)


def _verdict(job: JobCall, policy: str, one: TableProgress) -> Verdict:
    """Of a customer that has the version."""
    if one["done"] is not None:
        return Verdict(one["done"], one["code"], one["facts"], one["again"])
    states = states_at(job.store, policy, one["id"])
    if not states:
        return Verdict(False, "plan-policy-revoked", again=False)
    if set(states) <= _SETTLED:
        return replace(DONE, code="plan-policy-delivered", facts=one["facts"])
    if "error" in states:
        return Verdict(False, "plan-policy-tables-failed", one["facts"])
    return replace(WAITING, code="plan-policy-loading", facts=one["facts"])


def _progress(customers: Sequence[TableProgress]) -> RunProgress:
    progress = progress_of(customers)
    done = sum(one["done"] is True for one in customers)
    outcome = said("plan-policy-distributed", done=str(done), total=str(len(customers)))
    if progress.reason is not None:
        facts = {"undone": str(len(customers) - done), "total": str(len(customers))}
        first = next(one["table"] for one in customers if not one["done"])
        progress = replace(progress, reason=said("plan-customers-undone", customer=first, **facts))
    return replace(progress, outcome=outcome)


DISTRIBUTION = _Distribution()
