"""Reasons that comparisons give, in both languages: (code, Chinese, English), then under `….remedy` what to do."""

_TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "key-computed",
        "表 {table} 的键列 {column} 经过计算或脱敏，不能按键比对",
        "Key column {column} of table {table} is computed or masked, so rows cannot be compared by their key",
    ),
    ("key-computed.remedy", "去掉该键列的表达式或脱敏", "Take the expression or mask off the key column"),
    (
        "table-not-loaded",
        "目标端还没有表 {table} 的完整数据，无法比对",
        "The target does not have all rows of table {table} yet, so there is nothing to compare",
    ),
    ("table-not-loaded.remedy", "等待全量装载完成后再比对", "Compare once the full load is finished"),
    (
        "link-behind",
        "比对时表 {table} 的同步没有跟上，差异中可能有仍在途中的变更",
        "Changes of table {table} had not arrived when it was compared: differences may be changes on their way",
    ),
    (
        "comparison-elsewhere",
        "运行比对服务的主机上没有这次比对的结果（服务可能已迁移到其他主机）",
        "The host that runs the contrast service does not have this result: the service may have moved since",
    ),
    ("comparison-elsewhere.remedy", "重新比对该表", "Compare the table again"),
    (
        "repair-statements-unknown",
        "{kind} 类型的目标端不能显示修复语句",
        "The statements of a repair cannot be shown for targets of the kind {kind}",
    ),
    (
        "repair-statements-unknown.remedy",
        "查看差异行中两端的值，然后直接修复",
        "Check both sides of the differing rows, then repair them",
    ),
    ("link-behind.remedy", "恢复同步并追上后重新比对", "Let the table catch up, then compare again"),
)

ZH = {key: chinese for key, chinese, _ in _TEXTS}
EN = {key: english for key, _, english in _TEXTS}
