"""Calls of the operation log."""

from functools import partial
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.operation_log import queries
from zcbus.control.features.operation_log.proof_record import MENU_KEY, PROOF_KEY, proof_record
from zcbus.control.features.operation_log.schemas import (
    OPERATIONS,
    SIGN_INS,
    ActionChoice,
    ActionKindChoice,
    OperationDetail,
    OperationRecord,
    ProofRecord,
    RecordPageRequest,
    RecordRequest,
    SignInPageRequest,
    SignInRecord,
)
from zcbus.control.features.operation_log.verification import verify_and_keep
from zcbus.control.platform.action_titles import ACTION_KINDS, action_title
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("operation-log")

_VIEW = authorise(MENU_KEY, Operation.VIEW)


@api.read("/api/zcbus/monitor/operation-log/page", _VIEW, lists=OPERATIONS)
def page(call: Call, body: RecordPageRequest) -> Page[OperationRecord]:
    """Records of the operation log by page, the newest first."""
    return answer_page(call, body, queries.listing(call.principal, call.language, body))


@api.read("/api/zcbus/monitor/operation-log/get", _VIEW)
def get(call: Call, body: RecordRequest) -> OperationDetail:
    """One record with the values before and after."""
    row = queries.find(call.connection, call.principal, body.id)
    if row is None:
        raise RecordNotFoundError(kind="operation-record", id=body.id)
    return _detail(call, row)


@api.read("/api/zcbus/monitor/operation-log/actions", _VIEW)
def list_actions(call: Call) -> list[ActionKindChoice]:
    """Every action that is recorded, by the kind of object it acts on, with titles in the caller's language."""
    return [
        ActionKindChoice(
            kind=name,
            title=kind.title.text(call.language),
            actions=[
                ActionChoice(action=action, title=title.text(call.language)) for action, title in kind.actions.items()
            ],
        )
        for name, kind in ACTION_KINDS.items()
    ]


@api.read("/api/zcbus/monitor/operation-log/proof", _VIEW, unit=Unit.OWN)
def get_proof(call: Call, body: Empty) -> ProofRecord:
    """What the last verification of the log's chain proved, and when."""
    return proof_record(call, call.services.database)


@api.change("/api/zcbus/monitor/operation-log/verify", authorise(PROOF_KEY, Operation.OPERATE), unit=Unit.OWN)
def verify_now(call: Call, body: Empty) -> ProofRecord:
    """Verify the whole chain now: seconds for 100,000 records."""
    proof = verify_and_keep(call.services)
    call.audit.after = {"breaks": len(proof.breaks), "records": proof.records, "links": proof.links}
    return proof_record(call, call.services.database)


@api.read("/api/zcbus/system/login-log/page", authorise("system/login-log", Operation.VIEW), lists=SIGN_INS)
def page_sign_ins(call: Call, body: SignInPageRequest) -> Page[SignInRecord]:
    """Sign-ins, attempts at them and ends of sessions by page, the newest first. Names that no account has are kept
    hashed (`unknown:…`)."""
    return answer_page(call, body, queries.sign_ins(call.principal, body, partial(_sign_in, call)))


def _sign_in(call: Call, row: Row[Any]) -> SignInRecord:
    names = [name for name in SignInRecord.model_fields if name not in ("title", "reason")]
    return SignInRecord(
        **{name: getattr(row, name) for name in names},
        title=action_title(call.language, row.action),
        reason=_reason(call, row.error_code),
    )


def _detail(call: Call, row: Row[Any]) -> OperationDetail:
    names = [name for name in OperationDetail.model_fields if name not in ("title", "reason")]
    return OperationDetail(
        **{name: getattr(row, name) for name in names},
        title=action_title(call.language, row.action),
        reason=_reason(call, row.error_code),
    )


def _reason(call: Call, error_code: str | None) -> str | None:
    """The error's message. Its facts are not recorded, so a message that names some has dashes in their place."""
    if error_code is None:
        return None
    known = error_code in call.services.catalogue.message_keys()
    return call.text(error_code) if known else call.text("error", code=error_code)
