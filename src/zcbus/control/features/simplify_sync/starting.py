"""The one start: a sync link with every table that matches and passes the pre-check."""

from typing import Any

from zcbus.control.features.simplify_sync.choice import Matched, matches_of, reason_of
from zcbus.control.features.simplify_sync.matching import STARTABLE, Match
from zcbus.control.features.simplify_sync.schemas import StartedTable, StartRecord, StartRequest
from zcbus.control.features.sync_link.partial_creation import create_partial
from zcbus.control.features.sync_link.planning import spell
from zcbus.control.features.sync_link.schemas import LinkDocument
from zcbus.control.platform.call import Call
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.base import Connection, TableRef


def start(call: Call, request: StartRequest) -> StartRecord:
    """Create and start the link, without tables that fail the pre-check. Raises what `matches_of` and `create_partial`
    raise; then nothing was created."""
    matched, texts = matches_of(call, request, refresh=True), ReasonTexts.of(call)
    results = [_left_out(one, texts) for one in matched.matches if one.state not in STARTABLE]
    startable = [one for one in matched.matches if one.state in STARTABLE]
    if not startable:
        return StartRecord(link_id=None, task_id=None, results=results)
    known = matched.source.known
    document = _document(request, matched)
    made = create_partial(call.services, known.tenant_id, known.destination, document, texts, call.progress)
    results += [_result(one.source, made.refused.get(one.source)) for one in startable]
    return StartRecord(link_id=made.link_id, task_id=made.task_id, results=results)


def _document(request: StartRequest, matched: Matched) -> LinkDocument:
    return LinkDocument.model_validate(
        {
            "link": request.name,
            "source": _connection(matched.source.connection),
            "target": _connection(matched.target.connection),
            "tables": [
                {
                    "source": _table(one.source),
                    "target": _table(one.target),
                    "appendOnly": True if request.append_only and not one.has_key else None,
                }
                for one in matched.matches
                if one.state in STARTABLE
            ],
            "load": request.load,
            "clean": request.clean,
            "ddl": request.ddl,
            "columnCase": 1 if request.exact else 0,
        }
    )


def _connection(opened: Connection) -> dict[str, Any]:
    secrets = {name: secret.get_secret_value() for name, secret in opened.secrets.items()}
    return {"kind": opened.kind, **opened.options, **secrets}


def _table(table: TableRef) -> dict[str, str]:
    return {"schema": table.schema_name, "table": table.table}


def _left_out(one: Match, texts: ReasonTexts) -> StartedTable:
    return _result(one.source, reason_of(one, texts))


def _result(table: TableRef, reason: str | None) -> StartedTable:
    return StartedTable(table=spell(table), done=reason is None, reason=reason or "")
