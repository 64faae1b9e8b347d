"""Texts of streaming the operation log."""

ZH = {
    "audit-receiver-failed": "{receiver} 未接收操作日志：{detail}",
}

EN = {
    "audit-receiver-failed": "{receiver} did not take the operation log: {detail}",
}
