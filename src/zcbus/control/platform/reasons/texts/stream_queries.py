"""Reasons why a stream query does not run; keys as in `tables`. Codes: zcbus.engine.reasons."""

ZH = {
    "computation-invalid": "该 SELECT 无法用于这些输入：{detail}",
    "computation-invalid.remedy": "修改 SELECT 或输入后预检查",
    "computation-failed": "结果无法计算：{detail}",
    "computation-failed.remedy": "修改 SELECT 后重置，或用 CASE 处理出错的值",
    "computation-too-slow": "计算结果超过 {seconds} 秒",
    "computation-too-slow.remedy": "简化 SELECT（例如缺少连接条件），或拆成多个实时计算",
    "result-key-unknown": "结果没有列 {column}",
    "result-key-unknown.remedy": "从结果的列中选择键",
    "result-key-broken": "键 {key} 不能唯一标识结果的行：{values}",
    "result-key-broken.remedy": "选择能唯一标识每一行且不为空的列作为键，或在 SELECT 中按这些列分组",
    "result-too-large": "结果超过 {limit} 行",
    "result-too-large.remedy": "在 SELECT 中聚合或过滤，或提高结果行数上限",
    "state-too-large": "输入和结果占用 {mb} MB，超过上限 {limit} MB",
    "state-too-large.remedy": "SELECT 中少用列，或提高状态大小上限",
    "input-value-refused": "{table} 中有无法计算的值：{detail}",
    "input-value-refused.remedy": "在源库中修正该值，然后重置实时计算",
    "input-not-captured": "{table} 的结构还不知道：它从未被捕获",
    "input-not-captured.remedy": "启动其发布节点，等待它发布该表后再预检查",
    "state-busy": "另一个进程正打开该实时计算的数据（{path}）",
    "state-busy.remedy": "等待：它会自行结束",
}

EN = {
    "computation-invalid": "The SELECT cannot be used over these inputs: {detail}",
    "computation-invalid.remedy": "Change the SELECT or the inputs, and pre-check",
    "computation-failed": "The result cannot be computed: {detail}",
    "computation-failed.remedy": "Change the SELECT and reset, or handle the value that fails with CASE",
    "computation-too-slow": "Computing the result takes longer than {seconds} s",
    "computation-too-slow.remedy": (
        "Make the SELECT simpler (is the condition of a join missing?), or divide it into several computations"
    ),
    "result-key-unknown": "The result has no column {column}",
    "result-key-unknown.remedy": "Choose the key from the result's columns",
    "result-key-broken": "The key {key} does not identify the result's rows: {values}",
    "result-key-broken.remedy": (
        "Choose columns as the key that identify each row and are never NULL, or group by them in the SELECT"
    ),
    "result-too-large": "The result has more than {limit} rows",
    "result-too-large.remedy": "Aggregate or filter in the SELECT, or raise the limit of the result's rows",
    "state-too-large": "Inputs and result take {mb} MB; {limit} MB are allowed",
    "state-too-large.remedy": "Use fewer columns in the SELECT, or raise the limit of the state's size",
    "input-value-refused": "{table} has a value that cannot be computed with: {detail}",
    "input-value-refused.remedy": "Correct the value in the source, then reset the computation",
    "input-not-captured": "The structure of {table} is not known yet: it was never captured",
    "input-not-captured.remedy": "Start its publish node, wait until it publishes the table, and pre-check again",
    "state-busy": "Another process has the computation's data open ({path})",
    "state-busy.remedy": "Wait: it ends automatically",
}
