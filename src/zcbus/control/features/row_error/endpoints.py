"""Calls about row errors. They are stored in the link's target, so its agent is asked."""

from zcbus.control.features.row_error import service
from zcbus.control.features.row_error.schemas import (
    CauseListRequest,
    CauseRecord,
    ErrorLimits,
    RowErrorChoice,
    RowErrorDetail,
    RowErrorEdit,
    RowErrorPageRequest,
    RowErrorRecord,
    RowErrorsChoice,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.model.row_errors import Decision

api = Api("row-error")

_VIEW = authorise("sync-link", Operation.VIEW)
_EDIT = authorise("sync-link", Operation.EDIT)
_OPERATE = authorise("sync-link", Operation.OPERATE)


@api.read("/api/zcbus/sync/link/error/page", _VIEW, unit=Unit.OWN, lists=service.ROW_ERRORS)
def page(call: Call, body: RowErrorPageRequest) -> Page[RowErrorRecord]:
    """Changes that a link's target refused, the newest first."""
    return service.page_errors(call, body)


@api.read("/api/zcbus/sync/link/error/cause/list", _VIEW, unit=Unit.OWN)
def list_causes(call: Call, body: CauseListRequest) -> list[CauseRecord]:
    """Why a link's target refused changes, the most frequent cause first."""
    return service.list_causes(call, body)


@api.read("/api/zcbus/sync/link/error/get", _VIEW, unit=Unit.OWN)
def get(call: Call, body: RowErrorChoice) -> RowErrorDetail:
    """One row error with all its stored values."""
    return service.error_detail(call, body)


@api.change("/api/zcbus/sync/link/error/retry", _OPERATE, unit=Unit.OWN)
def retry(call: Call, body: RowErrorsChoice) -> int:
    """Try open row errors again. Answers how many are tried."""
    return service.decide(call, body, body.errors, body.tables, Decision.RETRY)


@api.change("/api/zcbus/sync/link/error/skip", _OPERATE, unit=Unit.OWN)
def skip(call: Call, body: RowErrorsChoice) -> int:
    """Give up open row errors; the target stays unchanged. Answers how many."""
    return service.decide(call, body, body.errors, body.tables, Decision.SKIP)


@api.change("/api/zcbus/sync/link/error/edit", _OPERATE, unit=Unit.OWN)
def edit(call: Call, body: RowErrorEdit) -> int:
    """Try an open row error again with other values. Answers 1, or 0 where it is over."""
    return service.decide(call, body, [body.error], [], Decision.RETRY, body.after)


@api.change("/api/zcbus/sync/link/error/limit", _EDIT)
def limit(call: Call, body: ErrorLimits) -> list[TableResult]:
    """Set the most open row errors of tables, and how many failing changes they skip. Answers a result per table."""
    return service.set_limits(call, body)
