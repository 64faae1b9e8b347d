"""Reasons about tables that are published append-only, in both languages: (code, Chinese, English), then under
`….remedy` what to do."""

_TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "append-only",
        "表 {table} 以只追加方式发布：更新和删除不会应用",
        "Table {table} is published append-only: updates and deletes are not applied",
    ),
    (
        "append-only.remedy",
        "跳过该变更；若需应用更新和删除，请为该表选择键列后启动全量",
        "Skip the change; for updates and deletes to be applied, choose the table's key columns and start full for it",
    ),
    (
        "append-only-not-compared",
        "表 {table} 以只追加方式发布，没有键，无法比对内容",
        "Table {table} is published append-only: without a key its contents cannot be compared",
    ),
    (
        "append-only-not-compared.remedy",
        "按记录数比对；若要比对内容，请为该表选择键列并启动全量",
        "Compare the record counts; for its contents choose key columns for the table and start full for it",
    ),
    (
        "append-only-warned",
        "表 {table} 没有键，以只追加方式发布：源端的重复行原样保留；更新和删除不应用，记为异常行；"
        "再次装载而不清理目标表会使所有行重复",
        "Table {table} has no key and is published append-only: duplicate rows of the source stay; updates and deletes "
        "are not applied, but kept as row errors; loading again without cleaning the target adds all rows once more",
    ),
    (
        "append-only-table-has-key",
        "表 {table} 有键（{columns}），不能以只追加方式发布",
        "Table {table} has a key ({columns}) and cannot be published append-only",
    ),
    (
        "append-only-table-has-key.remedy",
        "取消只追加，按该键复制",
        "Leave append-only off: the table is replicated by that key",
    ),
    (
        "append-only-target-exists",
        "目标表 {target} 已存在且不清理：每次装载都会再添加一遍所有行",
        "The target table {target} exists and is not cleaned: each load adds all rows once more",
    ),
    (
        "append-only-target-exists.remedy",
        "选择清空或重建目标表",
        "Have the target table emptied or rebuilt before the load",
    ),
    (
        "append-only-target-key",
        "目标表 {target} 有键（{columns}），将拒绝键相同的行",
        "The target table {target} has a key ({columns}) and will refuse rows that are equal in it",
    ),
    (
        "append-only-target-key.remedy",
        "删除目标表的该键，或重建目标表",
        "Drop that key of the target table, or have the table rebuilt",
    ),
)

ZH = {key: chinese for key, chinese, _ in _TEXTS}
EN = {key: english for key, _, english in _TEXTS}
