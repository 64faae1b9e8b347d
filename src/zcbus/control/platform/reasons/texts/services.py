"""Reasons that speak of services, their processes and their bus, in both languages; as `tables`."""

_TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "crashed",
        "服务进程意外退出（{exit}），正在自动重启",
        "The service's process ended unexpectedly ({exit}); it is started again",
    ),
    ("crashed.remedy", "若反复发生，请查看服务日志", "If this repeats, check the service's log"),
    (
        "cannot-start",
        "服务连续 {attempts} 次无法启动（{exit}）",
        "The service could not start {attempts} times in a row ({exit})",
    ),
    (
        "cannot-start.remedy",
        "查看服务日志，排除原因后重新启动",
        "Check the service's log, correct the cause and start it again",
    ),
    ("cannot-go-on", "服务无法继续运行", "The service cannot continue"),
    (
        "cannot-go-on.remedy",
        "查看服务日志，排除原因后重新启动",
        "Check the service's log, correct the cause and start it again",
    ),
    (
        "stuck",
        "服务 {seconds} 秒没有进展，已被强制重启",
        "The service made no progress for {seconds} seconds and was restarted by force",
    ),
    (
        "stuck.remedy",
        "检查源端与目标端是否有长时间的锁或网络中断",
        "Check source and target for long locks and network problems",
    ),
    (
        "leftover-alive",
        "同一服务的另一个进程仍在运行：{service}",
        "Another process of the same service is still alive: {service}",
    ),
    ("leftover-alive.remedy", "确认没有第二个代理在运行该服务", "Make sure that no second agent runs this service"),
    ("internal-error", "平台内部错误：{detail}", "Internal error of the platform: {detail}"),
    ("internal-error.remedy", "查看服务日志并联系支持人员", "Check the service's log and contact support"),
    (
        "task-invalid",
        "服务收到的任务无法识别：{detail}",
        "The service was given a task it does not understand: {detail}",
    ),
    ("task-invalid.remedy", "将该主机上的代理升级到当前版本", "Bring the agent of that host to the current version"),
    ("frame-damaged", "消息总线上的记录无法解析：{problem}", "A record on the bus cannot be read: {problem}"),
    (
        "frame-damaged.remedy",
        "检查磁盘后对受影响的表启动全量",
        "Check the disk, then start full for the tables concerned",
    ),
    ("bus-unwritable", "无法写入消息总线：{detail}", "The bus cannot be written: {detail}"),
    ("bus-unwritable.remedy", "检查数据目录的权限与磁盘", "Check the data folder's permissions and its disk"),
    ("record-too-large", "记录过大，消息总线无法保存", "A record is too large for the bus"),
    ("record-too-large.remedy", "减小单行数据后对该表启动全量", "Make the row smaller and start full for the table"),
    (
        "feed-not-offered",
        "消息总线不是 Kafka，不能提供 JSON 主题 {feed}",
        "JSON topic {feed} is not possible: the bus is not on Kafka",
    ),
    (
        "feed-not-offered.remedy",
        "以 Kafka 作为消息总线（ZCBUS_BUS=kafka://…），或去掉 jsonTopic",
        "Use the bus on Kafka (ZCBUS_BUS=kafka://…), or leave jsonTopic out",
    ),
    ("topic-name-invalid", "主题名称无效：{topic}", "The topic's name cannot be used: {topic}"),
    ("database-failed", "{kind} 报告错误：{detail}", "{kind} reports an error: {detail}"),
    ("database-failed.remedy", "按错误信息处理后重新启动", "Correct what the error names and start again"),
    ("java-missing", "代理所在主机没有可用的 Java：{detail}", "The agent's host has no usable Java: {detail}"),
    ("java-missing.remedy", "安装 Java 17 或更高版本后重新启动代理", "Install Java 17 or later and restart the agent"),
    ("kind-role-missing", "{kind} 不支持该操作（{role}）", "{kind} does not support this ({role})"),
)

ZH = {key: chinese for key, chinese, _ in _TEXTS}
EN = {key: english for key, _, english in _TEXTS}
