"""Reasons about row transformations and start positions, in both languages: (code, Chinese, English), with the remedy
under `….remedy`."""

_TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "expression-invalid",
        "表 {table} 的条件或表达式（{column}）不可用：{expression}（{detail}）",
        "A condition or expression of table {table} ({column}) cannot be used: {expression} ({detail})",
    ),
    (
        "expression-invalid.remedy",
        "只能使用本行的列、常量和允许的函数；列名区分大小写时请加双引号",
        "Only the row's columns, constants and the allowed functions can be used; quote names that need it",
    ),
    (
        "expression-failed",
        "表 {table} 的条件、表达式或主键脱敏无法计算：{detail}",
        "A condition, an expression or a mask of the key of table {table} has no value: {detail}",
    ),
    (
        "expression-failed.remedy",
        "修改表达式（例如使用 try_cast、coalesce）或脱敏方式，或修正源端的数据，然后恢复该表",
        "Change the expression (try_cast, coalesce) or the mask, or correct the source's row, then resume the table",
    ),
    (
        "mask-not-possible",
        "表 {table} 的列 {column} 类型为 {type}，不能部分遮盖",
        "Column {column} of table {table} is of type {type}; only texts can be masked in part",
    ),
    ("mask-not-possible.remedy", "改用哈希或固定值", "Use a hash or a fixed value"),
    (
        "transform-changes-key",
        "表 {table} 的键列 {column} 经转换后可能重复",
        "The key column {column} of table {table} would no longer distinguish rows",
    ),
    (
        "transform-changes-key.remedy",
        "键列只能用哈希脱敏，或选择其他键列",
        "Key columns can only be masked by hash; or choose another key",
    ),
    (
        "start-too-early",
        "消息总线上已没有 {wanted} 的数据，现有数据从 {first} 开始",
        "The bus no longer has record {wanted}; it begins with {first}",
    ),
    (
        "start-too-early.remedy",
        "选择更晚的位点，或重新全量装载",
        "Choose a later position, or start full for the table",
    ),
    (
        "start-too-late",
        "还没有偏移量为 {wanted} 的记录，下一条记录的偏移量是 {next}",
        "Record {wanted} does not exist yet; the next one is {next}",
    ),
    ("start-too-late.remedy", "选择更早的位点", "Choose an earlier position"),
    (
        "values-not-sent",
        "表 {table} 的一次更新没有带上列 {columns} 的值，无法计算条件或表达式",
        "An update of table {table} came without the values of {columns}, which a condition or expression needs",
    ),
    (
        "values-not-sent.remedy",
        "在源端执行 ALTER TABLE {table} REPLICA IDENTITY FULL，然后对该表启动全量",
        "Run ALTER TABLE {table} REPLICA IDENTITY FULL at the source, then start full for the table",
    ),
)

ZH = {key: chinese for key, chinese, _ in _TEXTS}
EN = {key: english for key, _, english in _TEXTS}
