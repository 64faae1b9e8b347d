"""Text about roles."""

ZH = {
    "role-code-taken": "角色编码 {code} 已存在",
    "role-locked": "角色 {name} 不能修改，否则可能无人能够管理系统",
    "role-named": "角色 {name} 是系统角色，不能删除",
    "role-foreign": "角色 {name} 属于整个平台，只有平台管理员可以修改",
    "role-above": "角色 {name} 的权限超出您自己的权限",
    "role-in-use": "还有 {users} 个用户使用角色 {name}，不能删除",
    "permission-unknown": "没有权限 {menuKey}（{operation}）",
}

EN = {
    "role-code-taken": "The role code {code} is taken",
    "role-locked": "The role {name} cannot be changed: the system might be left without an administrator",
    "role-named": "The role {name} belongs to the system and cannot be deleted",
    "role-foreign": "The role {name} belongs to the whole platform: only administrators of the platform change it",
    "role-above": "The role {name} allows more than you are allowed yourself",
    "role-in-use": "{users} users still have the role {name}",
    "permission-unknown": "Permission {menuKey} ({operation}) not found",
}
