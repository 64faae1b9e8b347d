"""Texts of the operation log."""

ZH = {"parameter.operation_log_days": "操作日志和登录日志保留天数"}

EN = {"parameter.operation_log_days": "Days for which the operation log and the login log are kept"}
