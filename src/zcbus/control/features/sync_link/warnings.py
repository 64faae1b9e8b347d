"""Open alerts about a link whose cause no state of its services and tables shows.

Reads the table of alerts, because that feature stands above this one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from zcbus.control.features.sync_link.schemas import LinkWarning
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.tables.alert import alert

_KINDS = (
    "computation-failed",
    "held-log",
    "changes-expiring",
    "changes-unaccounted",
    "heartbeat",
    "lag",
    "json-topic-waiting",
    "json-topic-gap",
)
MOST = 5
"""So many of a link are shown."""


def warnings_of(
    connection: Connection, link_ids: Sequence[str] | None, texts: ReasonTexts
) -> Mapping[str, Sequence[LinkWarning]]:
    """By link, the newest first; None: of all links."""
    rows = select(alert).where(alert.c.recovered_time.is_(None), alert.c.link_id.is_not(None), alert.c.kind.in_(_KINDS))
    if link_ids is not None:
        rows = rows.where(alert.c.link_id.in_(link_ids))
    found: dict[str, list[LinkWarning]] = defaultdict(list)
    for row in connection.execute(rows.order_by(alert.c.record_time.desc(), alert.c.id.desc())):
        if len(found[row.link_id]) < MOST:
            # Alerts of earlier versions did not say whose they are.
            facts, code = {"owner": "link", **row.facts}, f"alert.{row.kind}"
            reason = texts.record(row.reason)
            remedy = (reason.remedy if reason else "") or texts.remedy(code, facts)
            warning = LinkWarning(kind=row.kind, text=texts.text(code, facts), remedy=remedy, since=row.record_time)
            found[row.link_id].append(warning)
    return found
