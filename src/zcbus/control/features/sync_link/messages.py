"""Text about sync links."""

from zcbus.control.features.sync_link import named_values

ZH = {
    "link-name-taken": "已存在名为 {name} 的同步链路",
    "link-name-ambiguous": "多个租户都有名为 {name} 的同步链路，请使用标识（id）",
    "link-place-fixed": "同步链路的数据库不能更换（{side}：{option}），请新建一条链路",
    "link-container-fixed": "同步链路已在容器 {container} 中运行，不能更换容器",
    "link-has-no-tables": "没有匹配到任何表，请检查表的选择条件",
    "link-tables-missing": "源端不存在这些表，或当前用户看不到：{tables}",
    "link-target-twice": "多张表指向同一目标表 {target}：{sources}",
    "precheck-failed": "预检查发现 {errors} 个错误：{first}",
    "link-changed-meanwhile": "同步链路 {name} 刚被其他人修改，请刷新后重试",
    "link-action-refused": "同步链路 {name} 当前状态为 {state}，不能执行 {action}",
    "link-service-removed": "同步链路 {name} 的服务已从容器中移除，请先在服务管理中重新添加",
    "link-table-unknown": "同步链路 {name} 中不存在以下表：{tables}",
    **named_values.ZH,
    "field.table-name": "须写作 schema.table",
    "field.same-target-columns": "目标端有两列同名",
    "field.no-columns": "列不能为空；需要全部列时不填此项",
    "field.key-outside-columns": "键列须包含在所选的列中",
    "field.only-exclusions": "只有排除项，须写明要同步哪些表",
    "field.table-twice": "同一张表写了两次",
    "field.id-or-name": "须写明 id 或名称",
}

EN = {
    "link-name-taken": "A sync link named {name} already exists",
    "link-name-ambiguous": "Several tenants have a sync link named {name}; use its id",
    "link-place-fixed": "A sync link keeps its databases ({side}: {option}); create another link instead",
    "link-container-fixed": "The sync link runs in container {container} and cannot change it",
    "link-has-no-tables": "No table is selected; check the patterns",
    "link-tables-missing": "These tables are not in the source, or the user may not see them: {tables}",
    "link-target-twice": "Several tables go to the same target table {target}: {sources}",
    "precheck-failed": "The pre-check found {errors} errors: {first}",
    "link-changed-meanwhile": "Another user just changed sync link {name}; refresh and try again",
    "link-action-refused": "Sync link {name} is {state}; {action} is not possible",
    "link-service-removed": "A service of link {name} was taken out of its container: add it again in service "
    "management first",
    "link-table-unknown": "Sync link {name} has no such tables: {tables}",
    **named_values.EN,
    "field.table-name": "Must be written as schema.table",
    "field.same-target-columns": "Two columns have the same name in the target",
    "field.no-columns": "Cannot be empty: leave it out to take all columns",
    "field.key-outside-columns": "The columns of the key must be among the columns",
    "field.only-exclusions": "Only excludes: say which tables to take",
    "field.table-twice": "A table is named twice",
    "field.id-or-name": "An id or a name is needed",
}
