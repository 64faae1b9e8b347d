"""Text of an alert, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row

from zcbus.control.platform.reasons import ReasonTexts


def facts_of(row: Row[Any]) -> Mapping[str, str]:
    # Alerts of earlier versions were about links only, and did not say so.
    return {"owner": "link", **row.facts}


def content_of(row: Row[Any], texts: ReasonTexts) -> str:
    """A message is shown as it was written."""
    return row.content if row.content is not None else texts.text(f"alert.{row.kind}", facts_of(row))


def remedy_of(row: Row[Any], texts: ReasonTexts) -> str:
    """Remedy: that of the reason, else that of this kind of alert."""
    reason = texts.record(row.reason)
    return (reason.remedy if reason else "") or texts.remedy(f"alert.{row.kind}", facts_of(row))
