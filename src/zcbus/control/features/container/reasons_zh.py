"""Reasons that agents and workers give, in Chinese: what happened, and under `….remedy` what to do."""

REASONS = {
    "source-unavailable": "无法连接源端数据库 {kind} {host}:{port}：{detail}",
    "source-unavailable.remedy": "检查源端数据库是否运行、网络与防火墙是否放行；恢复后会自动继续",
    "target-unavailable": "无法连接目标端数据库 {kind} {host}:{port}：{detail}",
    "target-unavailable.remedy": "检查目标端数据库是否运行、网络与磁盘空间；恢复后会自动继续",
    "table-locked": "目标表 {table} 被其他会话锁定（持有锁的会话：{holder}）：{detail}",
    "table-locked.remedy": "释放后自动继续；若等待过久，请结束占用它的事务"
    "（在 pg_stat_activity 或 SHOW PROCESSLIST 中查看）",
    "access-denied": "数据库 {host}:{port} 拒绝用户 {user}：{detail}",
    "access-denied.remedy": "核对用户名和密码，或为该用户授予所需权限，然后重新启动",
    "source-not-ready": "源端设置 {setting} 当前为 {value}，需要 {expected}",
    "source-not-ready.remedy": "在源端将 {setting} 改为 {expected}（可能需要重启数据库），然后重新启动",
    "log-position-lost": "源端日志已不包含 {wanted} 之后的变更，已捕获至 {since}"
    "（缺失 {gap}；现存最早位置 {oldest}）：{detail}",
    "log-position-lost.remedy": "请重新装载各表（重新装载，或重置并启动），或接受缺口并继续"
    "（目标端将缺少缺口期间的变更），捕获随即重新开始；"
    "若误连了其他服务器，请恢复原连接后启动链路；并延长源端日志的保留时间",
    "log-let-go": "源端为此保留的日志达到 {held} GiB，超过上限 {limit} GiB，已被释放：{since} 之后的变更缺失",
    "log-let-go.remedy": "请重新装载各表（重新装载，或重置并启动），或接受缺口并继续，捕获随即重新开始；"
    "请查明日志未被读取的原因（链路停止、消息总线已满、源端长事务），或调高上限（heldLogGb）",
    "table-missing": "表 {table} 不存在",
    "table-missing.remedy": "恢复该表，或将其从同步链路中移除",
    "table-refused": "表 {table} 无法复制：{reason}",
    "table-refused.remedy": "按原因调整该表或列，或将其从同步链路中移除",
    "row-refused": "目标端拒绝写入表 {table}：{detail}",
    "row-refused.remedy": "修正目标端的约束或结构后恢复该表，或重新加载该表",
    "fenced": "通道 {lane} 的位点已被另一个进程推进",
    "fenced.remedy": "确认没有第二个代理在运行同一服务，然后重新启动",
    "lease-over": "本机与管理端失去联系过久，服务可能已由其他主机接管，因此自行停止",
    "lease-over.remedy": "检查主机与管理端之间的网络；恢复后会自动继续",
    "topic-busy": "主题 {topic} 正被另一个进程写入",
    "topic-busy.remedy": "等待前一个进程结束；会自动重试",
    "bus-full": "消息总线没有空间：{path}",
    "bus-full.remedy": "释放总线所在磁盘的空间；有空间后会自动继续，不会丢失数据",
    "bus-away": "消息总线 {servers} 暂时无法连接或使用：{detail}",
    "bus-away.remedy": "请检查代理节点与网络；恢复后会自动继续，不会丢失数据",
    "bus-refused": "消息总线 {servers} 拒绝访问：{detail}",
    "bus-refused.remedy": "请检查执行端设置中总线的用户、密码、证书和权限，然后重新启动执行端",
    "offset-expired": "主题 {topic} 中需要的数据已超过保留期（需要 {asked}，现存最早 {first}）",
    "offset-expired.remedy": "请重新加载受影响的表，并延长保留时间",
    "record-damaged": "主题 {topic} 的记录 {offset} 已损坏：{path}",
    "record-damaged.remedy": "检查磁盘后重新加载受影响的表",
    "request-timeout": "代理在 {seconds} 秒内未完成操作",
    "request-timeout.remedy": "检查数据库是否可达后重试",
    "request-failed": "代理执行时发生意外错误（{detail}）",
    "request-failed.remedy": "查看代理日志",
    "host-silent": "自 {since} 起没有主机 {host} 的消息：进程可能仍在运行，也可能已不存在",
    "host-silent.remedy": "请确认主机在运行且能访问管理端；主机不再恢复时，若没有其他主机可以承接，先停止其服务，"
    "再将该主机从容器中移除",
    "unknown-kind": "不支持的数据库类型 {kind}",
    "unknown-kind.remedy": "升级该主机上的代理",
}
