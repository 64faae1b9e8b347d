"""Text about terminals."""

ZH = {
    "socket-idle": "{minutes} 分钟无操作，连接已关闭",
    "shell-ended": "远程会话已结束",
    "log-command": "不支持的日志命令：{command}",
    "log-absent": "主机上没有该服务的日志（服务可能还没有启动过）",
}

EN = {
    "socket-idle": "Nothing was typed for {minutes} minutes; the connection is closed",
    "shell-ended": "The remote session has ended",
    "log-command": "No such log command: {command}",
    "log-absent": "The host has no log of this service; perhaps it has never started",
}
