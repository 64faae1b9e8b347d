"""Text about tenants."""

ZH = {
    "tenant-code-taken": "租户编码 {code} 已存在",
    "tenant-needed": "租户 {name} 是系统租户，不能停用或删除",
    "tenant-in-use": "租户 {name} 下还有 {users} 个用户和 {records} 条其他数据，不能删除",
}

EN = {
    "tenant-code-taken": "The tenant code {code} is taken",
    "tenant-needed": "The tenant {name} belongs to the platform: it cannot be disabled or deleted",
    "tenant-in-use": "The tenant {name} still has {users} users and {records} other records",
}
