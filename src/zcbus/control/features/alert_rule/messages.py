"""Text about alert rules and the metrics that they are about."""

from zcbus.control.features.metric.catalogue import METRICS

_METRICS = [(f"metric.{kind}.{metric.name}", metric) for kind, metrics in METRICS.items() for metric in metrics]

ZH = {
    **{key: f"{metric.chart.zh}：{metric.zh}" for key, metric in _METRICS},
    "comparison.gt": "大于",
    "comparison.ge": "不小于",
    "comparison.lt": "小于",
    "comparison.le": "不大于",
    "alert-rule-name-taken": "名称 {name} 已被其他规则使用",
    "alert-rules-full": "告警规则已达上限 {most} 条",
    "alert-rule-ended": "规则已被修改、停用或删除，指标未必恢复",
    "alert-rule-mute-time": "静默的结束时间须在将来，且不超过 {days} 天",
    "field.rule-metric": "没有名为 {metric} 的指标",
    "field.rule-scope-of-host": "主机只能按容器和名称选择",
}

EN = {
    **{key: f"{metric.chart.en}: {metric.en}" for key, metric in _METRICS},
    "comparison.gt": "over",
    "comparison.ge": "at least",
    "comparison.lt": "under",
    "comparison.le": "at most",
    "alert-rule-name-taken": "Another rule has the name {name}",
    "alert-rules-full": "There are {most} rules already: no more can be added",
    "alert-rule-ended": "The rule was changed, switched off or deleted; the figure need not be in order",
    "alert-rule-mute-time": "A mute ends in the future, at most {days} days ahead",
    "field.rule-metric": "There is no metric named {metric}",
    "field.rule-scope-of-host": "Hosts are chosen by container and name only",
}
