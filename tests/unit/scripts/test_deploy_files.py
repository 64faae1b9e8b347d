"""Dashboard and alert rules in `deploy/` name metrics that the product shows, and have the form their programs read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from zcbus.control.features.metric.catalogue import METRICS
from zcbus.control.features.metric.exposition import exposed_name

_DEPLOY = Path(__file__).parents[3] / "deploy"
_DASHBOARD: dict[str, Any] = json.loads((_DEPLOY / "grafana" / "zcbus.json").read_text("utf-8"))
_GROUPS: list[dict[str, Any]] = yaml.safe_load((_DEPLOY / "prometheus" / "zcbus-rules.yml").read_text("utf-8"))[
    "groups"
]
_RULES = [rule for group in _GROUPS for rule in group["rules"]]
_COLUMNS = 24


def _queries() -> Iterator[str]:
    for panel in _DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    for variable in _DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"]
    yield from (rule["expr"] for rule in _RULES)


def test_every_metric_is_one_that_the_product_shows() -> None:
    shown = {exposed_name(kind, metric) for kind, metrics in METRICS.items() for metric in metrics}
    for query in _queries():
        used = set(re.findall(r"\bzcbus_\w+", query))
        assert used, query
        assert used <= shown, used - shown


def test_panels_have_what_the_dashboard_needs_and_do_not_overlap() -> None:
    panels = _DASHBOARD["panels"]
    variables = {one["name"] for one in _DASHBOARD["templating"]["list"]}
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["type"] in ("timeseries", "stat")
        assert panel["title"]
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
        for target in panel["targets"]:
            assert set(re.findall(r'"\$(\w+)"', target["expr"])) <= variables
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= _COLUMNS
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not covered & cells, panel["title"]
        covered |= cells


def test_alert_rules_have_the_form_that_prometheus_reads() -> None:
    assert len({group["name"] for group in _GROUPS}) == len(_GROUPS)
    assert len({rule["alert"] for rule in _RULES}) == len(_RULES)
    for rule in _RULES:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"]
