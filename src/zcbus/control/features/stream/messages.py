"""Texts of the stream feature."""

ZH = {
    "computation-name-taken": "已有名为 {name} 的实时计算",
    "computation-target-taken": "表 {table} 已由实时计算 {name} 写入",
    "computation-refused": "该计算不可用：{reason}",
    "computation-inputs-apart": "输入表的发布节点必须在同一个容器中",
    "computation-input-keyless": "表 {table} 以只追加方式发布，没有键，不能作为计算的输入",
    "computation-input-twice": "两个输入都叫 {name}，或同一张表选了两次",
    "computation-database-of-another": "数据库 {name} 不属于实时计算客户",
    "computation-action-refused": "实时计算 {name} 当前不能执行该操作",
}

EN = {
    "computation-name-taken": "A computation named {name} already exists",
    "computation-target-taken": "The table {table} is written by the computation {name} already",
    "computation-refused": "The computation cannot be used: {reason}",
    "computation-inputs-apart": "The publish nodes of the inputs must be in one container",
    "computation-input-keyless": "Table {table} is published append-only: without a key it cannot be computed with",
    "computation-input-twice": "Two inputs are called {name}, or one table was chosen twice",
    "computation-database-of-another": "The database {name} does not belong to a customer of real-time computations",
    "computation-action-refused": "The present state of computation {name} does not allow this",
}
