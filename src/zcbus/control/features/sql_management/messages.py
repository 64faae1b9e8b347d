"""Texts of SQL management."""

ZH = {
    "sql-description-taken": "已有描述为 {description} 的 SQL",
    "sql-not-offered": "{kind} 类型的数据库不能在此执行 SQL",
}

EN = {
    "sql-description-taken": "There is a saved SQL {description} already",
    "sql-not-offered": "No SQL can be run here on a database of kind {kind}",
}
