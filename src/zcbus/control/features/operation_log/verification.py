"""Verification of the operation log by itself: daily from the proved end, weekly whole; the last result is kept.

Each control plane verifies against the end that its own data folder keeps, so each keeps a result of its own. A row is
sealed like the chain, and the data folder keeps the last seal: a row that was edited, or put back from before, is
noticed and the chain verified again. Missing and outdated results are reported like breaks (`states`).
"""

import socket
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import orjson
from sqlalchemy import Connection, Row, delete, select

from zcbus.control.features.operation_log.errors import VerificationRunsError
from zcbus.control.features.operation_log.kept_head import holds, kept_head
from zcbus.control.features.operation_log.proof import Break, Proof, verify
from zcbus.control.platform.audit_chain import Chain, Head
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_anchor, audit_proof
from zcbus.kit.files import write_durably
from zcbus.kit.logging import get_logger

_log = get_logger("control.audit")

CHECKED_EVERY, WHOLE_EVERY = timedelta(days=1), timedelta(days=7)
# One verification may be missed, as by a restart at night.
UNVERIFIED_AFTER = timedelta(days=2)
# Results of control planes that are gone; broken ones stay until the end is accepted.
_GONE_AFTER = timedelta(days=30)

_FILE_NAME = "audit-proof"
_running = threading.Lock()

State = Literal["intact", "broken", "forged"]
"""`forged`: the row was not written by the platform."""


@dataclass(frozen=True, slots=True)
class Result:
    """Last result of one control plane. `proof`: `Proof` as JSON; empty where the row was forged."""

    instance: str
    host: str
    state: State
    checked_at: datetime
    whole_at: datetime
    proof: Mapping[str, Any]


def verify_if_due(services: Services) -> None:
    """Verify where a day has passed, or where something gives a reason to."""
    with services.database.read() as store:
        row = _own(store, services)
        is_whole = _needs_whole(store, services, row)
    now = services.clock.now()
    if is_whole or row is None or not timedelta() <= now - row.checked_at < CHECKED_EVERY:
        verify_and_keep(services, whole=is_whole)


def verify_and_keep(services: Services, *, whole: bool = True) -> Proof:
    """Verify the chain and keep the result. Raises VerificationRunsError."""
    if not _running.acquire(blocking=False):
        raise VerificationRunsError
    try:
        with services.database.read() as store:
            row, was_touched = _own(store, services), _was_touched(store, services)
        is_whole = whole or row is None
        behind = None if is_whole or row is None else Head(row.end_sequence, row.end_seal)
        checked_at = services.clock.now()
        proof = verify(services, behind)
        if was_touched:
            proof.breaks.insert(0, Break("result-forged"))
        whole_at = checked_at if is_whole or row is None else row.whole_at
        _keep(services, proof, checked_at, whole_at)
    finally:
        _running.release()
    if proof.breaks:
        _log.error("operation log broken", breaks=len(proof.breaks), first=proof.breaks[0].reason)
    return proof


def results(store: Connection, services: Services) -> list[Result]:
    """The last results of all control planes, the latest first."""
    rows = store.execute(select(audit_proof).order_by(audit_proof.c.checked_at.desc(), audit_proof.c.instance)).all()
    chain = Chain.of(services.secrets)
    return [_result(row, chain) for row in rows]


def unverified_since(store: Connection, services: Services, found: list[Result]) -> datetime | None:
    """Since when no control plane verified the chain, once that is too long; None: one did."""
    began: datetime | None = store.execute(select(audit_anchor.c.began_at)).scalar()
    moments = [one.checked_at for one in found if one.state != "forged"]
    last = max(moments, default=began)
    if last is None:
        return None
    # While the platform was down it could not verify.
    is_late = services.clock.now() - max(last, services.started_at) > UNVERIFIED_AFTER
    return last if is_late else None


def forget(store: Connection, services: Services) -> None:
    """Remove this control plane's result and those of others that do not verify any more: the operator accepted the
    store as it is."""
    _path(services).unlink(missing_ok=True)
    gone = audit_proof.c.checked_at < services.clock.now() - UNVERIFIED_AFTER
    store.execute(delete(audit_proof).where((audit_proof.c.instance == services.instance) | gone))


def _needs_whole(store: Connection, services: Services, row: Row[Any] | None) -> bool:
    """A first result, a weekly one, one after a break, and one where row, file or kept end disagree."""
    if row is None or _was_touched(store, services):
        return True
    result, now = _result(row, Chain.of(services.secrets)), services.clock.now()
    if result.state == "forged" or not timedelta() <= now - row.whole_at < WHOLE_EVERY:
        return True
    kept = kept_head(services)
    lacks_end = kept is not None and not holds(store, kept)
    reasons = {one["reason"] for one in result.proof["breaks"]}
    if lacks_end != ("end-missing" in reasons):
        return True
    return result.state == "broken" and now - row.checked_at >= CHECKED_EVERY


def _keep(services: Services, proof: Proof, checked_at: datetime, whole_at: datetime) -> None:
    values = {
        "instance": services.instance,
        "host": socket.gethostname()[:255],
        "checked_at": checked_at,
        "whole_at": whole_at,
        "end_sequence": proof.end_sequence,
        "end_seal": proof.end_seal,
        "result": orjson.dumps(asdict(proof)).decode(),
    }
    seal = Chain.of(services.secrets).proof_seal(values)
    # Both seals count until the store has the new one.
    _keep_seals(services, [seal, *_kept_seals(services)])
    with services.database.write() as store:
        long_ago = checked_at - _GONE_AFTER
        chain = Chain.of(services.secrets)
        for row in store.execute(select(audit_proof).where(audit_proof.c.checked_at < long_ago)).all():
            if _result(row, chain).state == "intact":
                store.execute(delete(audit_proof).where(audit_proof.c.instance == row.instance))
        store.execute(delete(audit_proof).where(audit_proof.c.instance == values["instance"]))
        store.execute(audit_proof.insert().values(**values, seal=seal))
    _keep_seals(services, [seal])


def _own(store: Connection, services: Services) -> Row[Any] | None:
    """This control plane's row; None where it is none of ours."""
    row = store.execute(select(audit_proof).where(audit_proof.c.instance == services.instance)).one_or_none()
    return row if row is not None and _is_sealed(row, Chain.of(services.secrets)) else None


def _result(row: Row[Any], chain: Chain) -> Result:
    if not _is_sealed(row, chain):
        return Result(row.instance, row.host, "forged", row.checked_at, row.whole_at, {})
    proof = orjson.loads(row.result)
    state: State = "broken" if proof["breaks"] else "intact"
    return Result(row.instance, row.host, state, row.checked_at, row.whole_at, proof)


def _is_sealed(row: Row[Any], chain: Chain) -> bool:
    sealed = chain.proof_seal(dict(row._mapping))
    return bool(sealed == row.seal)


def _was_touched(store: Connection, services: Services) -> bool:
    """Whether the store lacks the row that this control plane wrote last."""
    kept = _kept_seals(services)
    seals = store.execute(select(audit_proof.c.seal).where(audit_proof.c.instance == services.instance)).scalars()
    found = _own(store, services)
    if found is None:
        return bool(kept) or bool(seals.all())
    return bool(kept) and found.seal not in kept


def _kept_seals(services: Services) -> list[str]:
    try:
        return _path(services).read_text("utf-8").split()
    except FileNotFoundError:
        return []


def _keep_seals(services: Services, seals: list[str]) -> None:
    write_durably(_path(services), "\n".join(seals).encode(), 0o600)


def _path(services: Services) -> Path:
    return services.settings.data_dir / _FILE_NAME
