"""Replies with rows and errors."""

import orjson

from zcbus.connectors.csv_rows import csv_of
from zcbus.connectors.queries import Found
from zcbus.gateway.call_options import CallOptions
from zcbus.gateway.calls import Reply
from zcbus.gateway.errors import STATUS, QuotaSpent
from zcbus.gateway.texts import text_of
from zcbus.kit.errors import ZcbusError

_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS


def rows_reply(found: Found, options: CallOptions) -> Reply:
    """A reply with rows."""
    if options.form in ("csv", "csv-raw"):
        headers = {"X-More": "true" if found.more else "false"}
        return Reply(
            200, csv_of(found, guarded=options.form == "csv"), "text/csv; charset=utf-8", headers, rows=len(found.rows)
        )
    names = [name for name, _ in found.columns]
    data = {
        "columns": [{"name": name, "type": kind} for name, kind in found.columns],
        "records": [dict(zip(names, row, strict=True)) for row in found.rows],
        "current": options.page,
        "size": options.size,
        "more": found.more,
    }
    return Reply(200, _json({"code": 200, "message": "", "data": data}), rows=len(found.rows))


def error_reply(error: ZcbusError, language: str) -> Reply:
    """A reply with the reason of an error."""
    status = STATUS.get(error.code, 500)
    headers = {"Content-Language": language}
    if isinstance(error, QuotaSpent):
        headers["Retry-After"] = str(error.facts["seconds"])
    if status == 401:
        headers["WWW-Authenticate"] = "ZCBUS"
    body = {"code": status, "reason": error.code, "message": text_of(error, language), "data": None}
    return Reply(status, _json(body), headers=headers)


def _json(value: object) -> bytes:
    # Column types with integers beyond 64 bits arrive as texts.
    return orjson.dumps(value, option=_OPTIONS, default=str)
