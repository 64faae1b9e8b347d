"""Text about alerts."""

ZH = {
    "alert.service-crashed": "链路 {link} 的服务进程异常结束（{exit}）",
    "alert.service-abnormal": "链路 {link} 的服务无法运行",
    "alert.service-waiting": "链路 {link} 的服务正在等待外部条件恢复",
    "alert.table-failed": "链路 {link} 的表 {table} {state}",
    "alert.tables-suspended": "链路 {link} 有 {count} 个表已暂停：{tables}",
    "alert.tables-suspended.remedy": "变更在总线中等待，超过保留时间后只能重新装载；请在同步任务页面恢复这些表",
    "alert.lag": "链路 {link} 的延迟超过上限 {limit} 秒（发现时为 {lag} 秒）",
    "alert.heartbeat": "链路 {link} 的心跳停在“{hop}”",
    "hop.capture": "源端 → 捕获",
    "hop.bus": "捕获 → 总线",
    "hop.apply": "总线 → 应用",
    "hop.target": "应用 → 目标端",
    "alert.heartbeat.remedy": "请在链路监控页面查看各环节，并查看该服务的日志；必要时重启该服务，位置不会丢失",
    "alert.held-log": "源端为链路 {link} 保留的日志超过上限 {limit} MB（发现时为 {held} MB）",
    "alert.held-log.remedy": "请使链路继续运行，或删除不再需要的链路：停止的链路同样占用源端磁盘；"
    "可在源端设置 max_slot_wal_keep_size 作为硬上限，超过后链路须重新加载",
    "alert.changes-expiring": "链路 {link} 的表 {table} 有未应用的变更将于 {at} 到期",
    "alert.changes-expiring.remedy": "请在此之前恢复该表的增量应用；到期后只能重新全量加载",
    "alert.full-expiring": "链路 {link} 有 {tables} 张表的全量数据自 {at} 起到期",
    "alert.full-expiring.remedy": "已加载的表不受影响；到期后新的全量加载会重新发布全量数据",
    "alert.agent-away": "容器 {container} 中主机 {host} 的代理失去联系",
    "alert.registration": "{holder} 的产品注册于 {end} 到期",
    "alert.registration.remedy": "请申请新的注册码，并放入数据目录的 registration 文件",
    "alert.agent-away.remedy": "请检查该主机与网络，并确认代理（zcbus agent）正在运行；恢复后自动继续",
    "alert.lag.remedy": "请在同步任务页面查看积压最多的表，并检查目标库的负载",
    "alert-delivery-refused": "当前用户不能投递消息",
}

EN = {
    "alert.service-crashed": "A service process of link {link} ended unexpectedly ({exit})",
    "alert.service-abnormal": "A service of link {link} cannot run",
    "alert.service-waiting": "A service of link {link} waits for something outside to come back",
    "alert.table-failed": "Table {table} of link {link} is {state}",
    "alert.tables-suspended": "Link {link} has suspended tables ({count}): {tables}",
    "alert.tables-suspended.remedy": "Their changes wait on the bus; after its retention only a new load helps. "
    "Resume them on the sync task's page",
    "alert.lag": "Link {link} is more than {limit} seconds behind ({lag} seconds when it was noticed)",
    "alert.heartbeat": "The heartbeat of link {link} stands {hop}",
    "hop.capture": "between source and capture",
    "hop.bus": "between capture and bus",
    "hop.apply": "between bus and apply",
    "hop.target": "between apply and target",
    "alert.heartbeat.remedy": "Look at the hops on the link monitor's page and at the service's log; restart the "
    "service if need be: no position is lost",
    "alert.held-log": "The source keeps more than {limit} MB of log for link {link} ({held} MB when it was noticed)",
    "alert.held-log.remedy": "Let the link go on, or delete it if nobody needs it: a stopped link fills the source's "
    "disk as well. max_slot_wal_keep_size at the source is a hard limit; beyond it the link must be loaded again",
    "alert.changes-expiring": "Changes that wait for table {table} of link {link} expire at {at}",
    "alert.changes-expiring.remedy": "Have the table go on before; afterwards only a new full load helps",
    "alert.full-expiring": "The full data of {tables} tables of link {link} expires from {at} on",
    "alert.full-expiring.remedy": "Tables that are loaded go on; a later full load publishes the full data again",
    "alert.agent-away": "The agent on host {host} of container {container} is not heard of any more",
    "alert.registration": "The registration of {holder} ends at {end}",
    "alert.registration.remedy": "Apply for another code and put it into the data folder's file registration",
    "alert.agent-away.remedy": "Check the host and the network, and that the agent (zcbus agent) runs; "
    "everything goes on by itself once it is back",
    "alert.lag.remedy": "Look on the sync task's page for the tables with most waiting, and check the target's load",
    "alert-delivery-refused": "This user may not deliver messages",
}
