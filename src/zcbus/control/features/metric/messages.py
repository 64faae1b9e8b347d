"""Texts about metrics."""

ZH = {
    "field.metric-range": "起始时间须早于结束时间，且范围不超过 {days} 天",
    "metric-server-failed": "指标服务器 {server} 无法使用：{detail}。"
    "请检查该服务器及 ZCBUS_METRIC_STORE… 设置；未送达的数据保留在本机",
    "metric-server-refused": "指标服务器 {server} 拒绝了数据：{detail}。"
    "请检查该服务器及 ZCBUS_METRIC_STORE_WRITE；被拒绝的数据保留在本机",
    "metric-store.embedded": "指标存放在元数据旁，未设置 ZCBUS_METRIC_STORE",
    "metric-store.well": "指标服务器 {server} 可写入和查询；尚有 {seconds} 秒的数据待发送",
}

EN = {
    "field.metric-range": "The range must begin before it ends, and have at most {days} days",
    "metric-server-failed": "The metric server {server} cannot be used: {detail}. Check it and the settings "
    "ZCBUS_METRIC_STORE…; what it did not take stays on this host",
    "metric-server-refused": "The metric server {server} refused metrics: {detail}. Check it and "
    "ZCBUS_METRIC_STORE_WRITE; what it refused stays on this host",
    "metric-store.embedded": "Metrics are stored with the metadata; ZCBUS_METRIC_STORE is not set",
    "metric-store.well": "The metric server {server} takes metrics and answers queries; {seconds} s of them wait",
}
