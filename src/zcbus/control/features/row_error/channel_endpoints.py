"""The same calls for the row errors of a channel, with or without a sync link."""

from zcbus.control.features.row_error import service
from zcbus.control.features.row_error.endpoints import api as api
from zcbus.control.features.row_error.schemas import (
    CauseRecord,
    ChannelCauseListRequest,
    ChannelErrorChoice,
    ChannelErrorEdit,
    ChannelErrorPageRequest,
    ChannelErrorsChoice,
    RowErrorDetail,
    RowErrorRecord,
)
from zcbus.control.features.subscribe.endpoints import OPERATE, VIEW
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page
from zcbus.model.row_errors import Decision

_ERROR = "/api/zcbus/subscribe/error"


@api.read(f"{_ERROR}/page", VIEW, unit=Unit.OWN, lists=service.ROW_ERRORS)
def page_of_channel(call: Call, body: ChannelErrorPageRequest) -> Page[RowErrorRecord]:
    """Changes that a channel's target refused, the newest first."""
    return service.page_errors(call, body)


@api.read(f"{_ERROR}/cause/list", VIEW, unit=Unit.OWN)
def list_causes_of_channel(call: Call, body: ChannelCauseListRequest) -> list[CauseRecord]:
    """Why a channel's target refused changes, the most frequent cause first."""
    return service.list_causes(call, body)


@api.read(f"{_ERROR}/get", VIEW, unit=Unit.OWN)
def get_of_channel(call: Call, body: ChannelErrorChoice) -> RowErrorDetail:
    """One row error with all its stored values."""
    return service.error_detail(call, body)


@api.change(f"{_ERROR}/retry", OPERATE, unit=Unit.OWN)
def retry_of_channel(call: Call, body: ChannelErrorsChoice) -> int:
    """Try open row errors again. Answers how many are tried."""
    return service.decide(call, body, body.errors, body.tables, Decision.RETRY)


@api.change(f"{_ERROR}/skip", OPERATE, unit=Unit.OWN)
def skip_of_channel(call: Call, body: ChannelErrorsChoice) -> int:
    """Give up open row errors; the target stays unchanged. Answers how many."""
    return service.decide(call, body, body.errors, body.tables, Decision.SKIP)


@api.change(f"{_ERROR}/edit", OPERATE, unit=Unit.OWN)
def edit_of_channel(call: Call, body: ChannelErrorEdit) -> int:
    """Try an open row error again with other values. Answers 1, or 0 where it is over."""
    return service.decide(call, body, [body.error], [], Decision.RETRY, body.after)
