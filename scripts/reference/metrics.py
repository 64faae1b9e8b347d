"""What is measured, from the catalogue of metrics."""

from collections.abc import Iterable

from reference.markdown import LANGUAGES, code, page, table
from zcbus.control.features.metric.catalogue import METRICS, Metric, SubjectKind
from zcbus.control.features.metric.exposition import exposed_name
from zcbus.control.store.metrics.series import RollUp
from zcbus.control.store.metrics.tiers import TIERS

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
