"""What is measured, from the catalogue of metrics."""

import re
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest

from reference.markdown import LANGUAGES, code, page, table
from zcbus.control.features.metric.catalogue import METRICS, Metric, SubjectKind
from zcbus.control.features.metric.exposition import exposed_name
from zcbus.control.platform.middleware import RequestFrame
from zcbus.control.store.metrics.series import RollUp
from zcbus.control.store.metrics.tiers import TIERS
from zcbus.gateway.log import CallLog

TITLES = {"en": "Metrics", "zh": "指标"}
INTRODUCTIONS = {
    "en": "Sampled every ten seconds from the newest reports, and kept as points of {tiers}. Counters are shown per "
    "second; longer points have the sum of counters, and of gauges what the last column says. `/metrics` shows the "
    "newest sample under the names given here, with the labels `id`, `name` and `tenant`; sums over tables are left to "
    "the query. `metrics/series` takes the plain names.",
    "zh": "每 10 秒根据最新上报采样一次。保留粒度：{tiers}。计数器按每秒显示；较粗粒度的点，计数器为总和，"
    "其余见最后一列。`/metrics` 按下列名称给出最新一次采样，带标签 `id`、`name` 和 `tenant`；多表之和可在查询中计算。"
    "`metrics/series` 使用不带前缀的名称。",
}
KINDS = {
    "en": {
        SubjectKind.TABLE: "Subscribed tables",
        SubjectKind.CHANNEL: "Channels and sync links",
        SubjectKind.PUBLISHED_TABLE: "Published tables",
        SubjectKind.SERVICE: "Services",
        SubjectKind.HOST: "Hosts",
    },
    "zh": {
        SubjectKind.TABLE: "订阅表",
        SubjectKind.CHANNEL: "通道与同步链路",
        SubjectKind.PUBLISHED_TABLE: "发布表",
        SubjectKind.SERVICE: "服务",
        SubjectKind.HOST: "主机",
    },
}
HEADS = {
    "en": ("name", "what", "unit", "from", "in `/metrics`", "of longer points"),
    "zh": ("名称", "含义", "单位", "来源", "`/metrics` 中的名称", "较粗粒度"),
}
ROLL_UPS = {
    "en": {RollUp.SUM: "sum", RollUp.MAX: "highest", RollUp.MEAN: "mean", RollUp.LAST: "last"},
    "zh": {RollUp.SUM: "总和", RollUp.MAX: "最高值", RollUp.MEAN: "平均值", RollUp.LAST: "末值"},
}
TIER = {"en": "{step} s for {days} d", "zh": "{step} 秒保留 {days} 天"}

PROCESS_TITLES = {"en": "Control planes and data services", "zh": "控制平面与数据服务"}
PROCESS_TEXTS = {
    "en": "Counted by each process since its start. `/metrics` of a control plane obeys `ZCBUS_METRICS`; `/-/metrics` "
    "of a data service answers programs of its host only. Agents and workers listen on no port: see above.",
    "zh": "由各进程自启动起计数。控制平面的 `/metrics` 遵循 `ZCBUS_METRICS`；数据服务的 `/-/metrics` 只对本机程序开放。"
    "代理与工作进程不监听端口，其数据见上文各节。",
}
PROCESS_HEADS = {"en": ("name", "what", "labels"), "zh": ("名称", "含义", "标签")}
PROCESS_METRICS = {
    "zcbus_http_requests_total": (
        "Control plane: requests answered",
        "控制平面：已应答的请求",
        "method, route, status",
    ),
    "zcbus_http_request_seconds": ("Control plane: time to answer", "控制平面：应答时间", "method, route"),
    "zcbus_gateway_calls_total": ("Data service: calls answered", "数据服务：已应答的调用", "status"),
    "zcbus_gateway_call_seconds": ("Data service: time until the answer", "数据服务：应答时间", ""),
    "zcbus_gateway_rows_total": ("Data service: rows answered", "数据服务：已应答的行数", ""),
}


def pages() -> dict[str, str]:
    """Name and text of each page."""
    return {f"metrics{'' if language == 'en' else '.zh'}.md": _page(language) for language in LANGUAGES}


def _page(language: str) -> str:
    tiers = ", ".join(TIER[language].format(step=tier.step, days=tier.kept // 86_400) for tier in TIERS)
    return page(TITLES[language], INTRODUCTIONS[language].format(tiers=tiers), *_parts(language))


def _parts(language: str) -> Iterable[str]:
    for kind, metrics in METRICS.items():
        rows = [_row(kind, metric, language) for metric in metrics]
        yield f"## {KINDS[language][kind]}\n\n{table(HEADS[language], rows)}"
    yield from (f"## {PROCESS_TITLES[language]}", PROCESS_TEXTS[language], _of_processes(language))


def _of_processes(language: str) -> str:
    registry = CollectorRegistry()
    RequestFrame(_nothing, registry)
    shown = generate_latest(registry).decode() + CallLog().metrics().decode()
    names = {name for name in re.findall(r"^# TYPE (\S+) ", shown, re.MULTILINE) if not name.endswith("_created")}
    if names != PROCESS_METRICS.keys():
        raise SystemExit(f"the texts and the metrics of processes differ: {sorted(names ^ PROCESS_METRICS.keys())}")
    rows = [
        (code(name), chinese if language == "zh" else english, code(labels) if labels else "")
        for name, (english, chinese, labels) in PROCESS_METRICS.items()
    ]
    return table(PROCESS_HEADS[language], rows)


async def _nothing(*_: object) -> None:
    """An application that answers nothing."""


def _row(kind: SubjectKind, metric: Metric, language: str) -> tuple[str, ...]:
    title, label = (metric.chart.zh, metric.zh) if language == "zh" else (metric.chart.en, metric.en)
    exposed = exposed_name(kind, metric)
    return (
        code(metric.name),
        f"{title}: {label}" if language == "en" else f"{title}：{label}",
        metric.chart.unit,
        code(metric.source),
        code(exposed) if exposed else "",
        ROLL_UPS[language][metric.roll_up],
    )
