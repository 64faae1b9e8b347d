"""Texts of the verification feature."""

ZH = {
    "table-differs": "{count} 行与源端不一致",
    "verification-off": "持续校验已关闭（系统参数 verification_percent 为 0）",
    "verification-kinds": "源端或目标端的类型不支持持续校验，请使用比对",
    "verification-append-only": "该表以只追加方式发布，没有键，不能逐行校验",
    "verification-not-running": "该表未处于增量运行状态，不能校验",
    "verification-nothing-to-repair": "没有已知的差异",
    "verification-repairing": "正在修复，结束后再试",
}

EN = {
    "table-differs": "{count} rows differ from their source",
    "verification-off": "Verification is off (system parameter verification_percent is 0)",
    "verification-kinds": "Tables of this source or target kind are not verified continuously: use a comparison",
    "verification-append-only": "The table is published append-only: without a key its rows cannot be verified",
    "verification-not-running": "The table is not incremental running, so it cannot be verified",
    "verification-nothing-to-repair": "No row is known to differ",
    "verification-repairing": "A repair is under way: wait until it is over",
}
