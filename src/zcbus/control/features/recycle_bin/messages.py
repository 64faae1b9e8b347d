"""Texts of the recycle bin."""

ZH = {
    "recycled-name-taken": "名称 {name} 已被使用，请先重命名或删除同名对象，再恢复",
    "recycled-parent-gone": "{name} 无法恢复：所依赖的{parents}已被删除，请先恢复或重新创建",
    "recycled-user-above": "用户 {name} 的权限高于您，只能由拥有同等权限的人恢复",
    "recycled.publish-node": "发布节点",
    "recycled.subscriber": "订阅者",
    "recycled.published-table": "已发布的表",
    "recycled.database": "数据库",
    "recycled.container": "容器",
    "recycled.data-service": "数据服务",
    "recycled.task-plan": "计划",
    "recycled.api-group": "API 分组",
    "recycled.api-app": "API 应用",
    "recycled.department": "部门",
    "recycled.role": "角色",
    "parameter.recycle_bin_days": "回收站保留天数，对之后删除的对象生效",
}

EN = {
    "recycled-name-taken": "The name {name} is in use. Rename or delete the other object, then restore this one.",
    "recycled-parent-gone": "Cannot restore {name}: objects it needs were deleted ({parents}). Restore them first.",
    "recycled-user-above": "User {name} has more rights than you. Only a person with the same rights can restore it.",
    "recycled.publish-node": "publish node",
    "recycled.subscriber": "subscriber",
    "recycled.published-table": "published table",
    "recycled.database": "database",
    "recycled.container": "container",
    "recycled.data-service": "data service",
    "recycled.task-plan": "task plan",
    "recycled.api-group": "API group",
    "recycled.api-app": "API app",
    "recycled.department": "department",
    "recycled.role": "role",
    "parameter.recycle_bin_days": "Days for which the recycle bin keeps objects deleted from now on",
}
