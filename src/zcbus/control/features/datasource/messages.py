"""Text about data sources."""

ZH = {
    "kind-unsupported": "该版本不支持数据库类型 {kind}",
    "option-invalid": "连接参数 {option} 有误，应为：{expected}",
    "option-missing": "连接参数 {option} 不能为空",
    "password-needed": "主机、端口、用户或加密方式已更改，请重新输入密码",
    "connection-incomplete": "连接参数不完整",
    "connection-test-passed": "连接测试成功",
    "connection-test-failed": "连接测试失败",
    "kind-group.relational": "关系型数据库",
    "check.reachable": "网络连通",
    "check.login": "登录",
    "check.version": "版本",
    "check.permissions": "权限",
    "check.log-settings": "日志设置",
    "check.replication-rights": "复制权限",
}

EN = {
    "kind-unsupported": "Database kind {kind} is not supported by this version",
    "option-invalid": "Connection option {option} is wrong; expected: {expected}",
    "option-missing": "Connection option {option} is missing",
    "password-needed": "Host, port, user or TLS changed: enter the password again",
    "connection-incomplete": "The connection is not complete",
    "connection-test-passed": "Connection test passed",
    "connection-test-failed": "Connection test failed",
    "kind-group.relational": "Relational databases",
    "check.reachable": "Reachable",
    "check.login": "Login",
    "check.version": "Version",
    "check.permissions": "Permissions",
    "check.log-settings": "Log settings",
    "check.replication-rights": "Replication rights",
}
