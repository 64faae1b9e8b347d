"""Texts of the operation log."""

ZH = {
    "parameter.operation_log_days": "操作日志和登录日志保留天数",
    "audit.proved": "操作日志完整：{records} 条记录与写入时一致，{links} 个链节，{since} 至 {until}。",
    "audit.broken": "操作日志不完整：发现 {count} 处问题（最多列出 100 处）。"
    "{records} 条记录，{links} 个链节，{since} 至 {until}。",
    "audit.began": "链始于 {at}，当时已有 {records} 条记录；这些记录只能证明此后未被改动。",
    "audit.removed": "保留期清理已移除最早的 {count} 个链节，最近一次在 {at}。",
    "audit.kept": "本机数据目录保存了链尾 {sequence}：到此为止末尾未被截去，之后最多 10 秒内的记录除外。",
    "audit.not-kept": "本机数据目录尚未保存链尾：末尾是否被截去无法证明。",
    "audit.accepted": "已将数据库中的链尾作为本机的链尾，操作日志中已记录。",
    "audit.break": "链节 {sequence}，记录 {record}，{at}：{reason}",
    "audit.reason.no-chain": "链的起点缺失",
    "audit.reason.anchor-forged": "链的起点被改动",
    "audit.reason.link-missing": "此前缺少链节",
    "audit.reason.link-forged": "链节被改动，或与前一链节不符",
    "audit.reason.record-changed": "记录被改动",
    "audit.reason.record-missing": "记录被删除",
    "audit.reason.record-inserted": "记录不是由平台写入的",
    "audit.reason.result-forged": "上次校验的结果被改动、删除或换成旧结果",
    "audit-verification-runs": "正在校验操作日志，请稍候",
    "audit.reason.end-missing": "本机见过的链尾已不在：末尾被截去，或数据库由较早的备份恢复",
}

EN = {
    "parameter.operation_log_days": "Days for which the operation log and the login log are kept",
    "audit.proved": "Operation log intact: {records} records are as they were written, {links} links, "
    "{since} to {until}.",
    "audit.broken": "Operation log broken in {count} places (100 are listed at most). {records} records, "
    "{links} links, {since} to {until}.",
    "audit.began": "The chain began at {at} with {records} earlier records: proved unchanged since then only.",
    "audit.removed": "Retention removed the first {count} links, last at {at}.",
    "audit.kept": "This host's data folder keeps the chain's end {sequence}: nothing was cut off up to there. "
    "It is at most 10 seconds behind.",
    "audit.not-kept": "This host's data folder keeps no end of the chain: whether the end was cut off is not proved.",
    "audit.accepted": "The chain's end in the database is this host's last one now; the operation log says so.",
    "audit.break": "link {sequence}, record {record}, {at}: {reason}",
    "audit.reason.no-chain": "the start of the chain is missing",
    "audit.reason.anchor-forged": "the start of the chain was changed",
    "audit.reason.link-missing": "links before this one are missing",
    "audit.reason.link-forged": "the link was changed, or does not follow the one before",
    "audit.reason.record-changed": "the record was changed",
    "audit.reason.record-missing": "the record was deleted",
    "audit.reason.record-inserted": "the record was not written by the platform",
    "audit.reason.result-forged": "the result of the last verification was changed, deleted or put back",
    "audit-verification-runs": "The operation log is being verified already; wait for its result",
    "audit.reason.end-missing": "the end that this host saw is missing: it was cut off, or the database was restored "
    "from an earlier backup",
}
