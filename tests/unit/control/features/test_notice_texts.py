"""Texts of notices."""

from datetime import UTC, datetime

import pytest

from zcbus.control.features.notification import texts
from zcbus.control.features.notification.event import Event
from zcbus.control.features.notification.messages import EN, ZH
from zcbus.control.platform.language import LANGUAGES, Language
from zcbus.control.platform.messages import Catalogue

WHAT = "The token ends at 2026-01-31 16:00+00:00"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_of_a_notice_names_its_zone_in_the_same_way(language: Language) -> None:
    catalogue = Catalogue((ZH, EN))
    event = Event(
        alert_id="a",
        occasion="raised",
        tenant_id="default",
        kind="token-ending",
        level=1,
        customer_id="",
        customer_name="",
        at=datetime(2026, 1, 31, 12, 0, 5, tzinfo=UTC),
        group=None,
        words=lambda _: (WHAT, ""),
    )
    said = texts.raised(catalogue, language, event, [WHAT])
    whole = f"{said['title']}\n{said['content']}"
    assert "2026-01-31 16:00 UTC" in str(said["title"])
    assert "2026-01-31 16:00 UTC" in str(said["content"])
    assert "2026-01-31 12:00:05 UTC" in str(said["content"])
    assert "+00:00" not in whole


def test_moments_of_other_zones_and_plain_dates_stay_as_they_are() -> None:
    for text in ("2026-01-31", "2026-01-31 16:00+08:00", "12:00+00:00"):
        assert texts.with_zone(text) == text
    assert texts.with_zone("2026-01-31T16:00:05.120+00:00") == "2026-01-31 16:00:05 UTC"
