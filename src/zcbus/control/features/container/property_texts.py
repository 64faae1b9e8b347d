"""Titles and descriptions of the properties of a container."""

ZH = {
    "property.worker.title": "工作进程",
    "property.worker.memory.title": "内存",
    "property.worker.memory.help": "每个服务进程的内存预算；放不下的数据留在总线上。"
    "默认使用各主机的 ZCBUS_WORKER_MEMORY_MB",
    "property.batch.title": "批次",
    "property.batch.bytes.title": "批次大小",
    "property.batch.bytes.help": "一次从总线取出、在目标库一个事务内应用的数据量上限；越小，目标库的事务越短，吞吐越低",
    "property.batch.records.title": "批次记录数",
    "property.batch.records.help": "一次从总线取出、在目标库一个事务内应用的记录数上限",
    "property.logging.title": "日志",
    "property.logging.size.title": "日志文件大小",
    "property.logging.size.help": "服务的日志文件达到该大小后转存",
    "property.logging.files.title": "保留的日志文件",
    "property.logging.files.help": "每个服务除当前日志外保留的旧日志文件个数",
    "property.supervision.title": "进程守护",
    "property.supervision.stop.title": "停止等待时间",
    "property.supervision.stop.help": "停止服务时等待其处理完手中数据的时间，超过后强制结束进程",
    "property.supervision.stuck.title": "无进展时间",
    "property.supervision.stuck.help": "进程超过该时间没有进展时视为卡住，结束并重新启动",
    "property.supervision.retry.title": "异常重试间隔",
    "property.supervision.retry.help": "服务多次启动失败、状态异常后，再次尝试的间隔",
}

EN = {
    "property.worker.title": "Worker process",
    "property.worker.memory.title": "Memory",
    "property.worker.memory.help": "What the process of each service should get along with; what does not fit waits on "
    "the bus. Default: ZCBUS_WORKER_MEMORY_MB of each host",
    "property.batch.title": "Batches",
    "property.batch.bytes.title": "Batch size",
    "property.batch.bytes.help": "The most data read from the bus at once, and applied in one transaction of the "
    "target. Less makes transactions shorter and throughput lower",
    "property.batch.records.title": "Records of a batch",
    "property.batch.records.help": "The most records read from the bus at once, and applied in one transaction of "
    "the target, at most",
    "property.logging.title": "Logging",
    "property.logging.size.title": "Size of a log file",
    "property.logging.size.help": "The log file of a service steps aside when it is so large",
    "property.logging.files.title": "Log files kept",
    "property.logging.files.help": "How many older log files of each service are kept besides the newest",
    "property.supervision.title": "Supervision",
    "property.supervision.stop.title": "Wait for stopping",
    "property.supervision.stop.help": "How long a service that is stopped may finish what it has in hand before its "
    "process is killed",
    "property.supervision.stuck.title": "Stuck after",
    "property.supervision.stuck.help": "A process without progress for so long counts as stuck, is killed and "
    "begins again",
    "property.supervision.retry.title": "Pause after failures",
    "property.supervision.retry.help": "How long to wait before the next attempt when a service has failed to start "
    "several times and is abnormal",
}
