"""What `zcbus link` says of a pre-check, and of links that run."""

import argparse

import httpx
import pytest

from zcbus.cli.http import Api, ApiError
from zcbus.cli.link import notes_of, show_status
from zcbus.cli.output import print_findings

FINDINGS = [
    {"level": "error", "table": "public.a", "column": "", "text": "No key", "remedy": "Choose one"},
    {"level": "error", "table": "public.b", "column": "x", "text": "No such type", "remedy": ""},
    {"level": "warning", "table": "", "column": "", "text": "Little room", "remedy": ""},
    {"level": "info", "table": "public.a", "column": "", "text": "3 rows", "remedy": ""},
]


def test_all_errors_and_warnings_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(FINDINGS)
    assert capsys.readouterr().err.splitlines() == [
        "error: public.a: No key (Choose one)",
        "error: public.b.x: No such type",
        "warning: Little room",
    ]


def test_a_refusal_carries_its_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"code": 400, "message": "no", "data": {"error": "precheck-failed", "facts": {"findings": FINDINGS}}}
    monkeypatch.setattr(httpx.Client, "post", lambda *_, **__: httpx.Response(200, json=body))
    with Api("http://127.0.0.1:1", "token") as api, pytest.raises(ApiError) as refused:
        api.call("sync/link/apply")
    assert refused.value.facts["findings"] == FINDINGS


WARNING = "More than 10240 MB of log wait at the source"


def test_what_colours_a_link_is_in_its_status_and_in_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    table = {"source": "public.a", "state": "incremental-running", "errors": 2}
    status = {"name": "shop", "state": "incremental-running", "stale": True, "reason": "Away", "warnings": [WARNING]}
    show_status({**status, "tables": [table]}, argparse.Namespace(json=False))
    assert capsys.readouterr().out.splitlines()[:3] == [
        "shop: incremental-running, 2 open errors, as of the last report: its agent is silent",
        "! Away",
        f"! {WARNING}",
    ]
    link = {"stale": False, "reason": {"text": "Away"}, "warnings": [{"text": WARNING}]}
    assert notes_of(link) == ["Away", WARNING]
    assert notes_of({"stale": False, "reason": None, "warnings": []}) == []
